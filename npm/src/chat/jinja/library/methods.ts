// The methods of lists, tuples, dicts and numbers that do not change them.

import type { Builtin } from '../arguments.js';
import { equal, iterate } from '../compare.js';
import { renderError } from '../errors.js';
import { integerArgument } from '../operators.js';
import { Dict, listItems, orElse, Sequence, Tuple, type Value } from '../values.js';

const count: Builtin<[Value]> = [
  'value',
  (self, sought: Value) => BigInt(listItems(self)!.filter((each) => equal(each, sought)).length),
];

const index: Builtin<[Value]> = [
  'value start? stop?',
  (self, sought: Value, start?: Value, stop?: Value) => {
    const items = listItems(self)!;
    const begin = integerArgument(start, 'start', 0);
    const end = integerArgument(stop, 'stop', items.length);
    const at = items.findIndex((each, i) => i >= begin && i < end && equal(each, sought));
    if (at < 0) throw renderError('index: the value is not in the list');
    return BigInt(at);
  },
];

export const listMethods: Record<string, Builtin<[Value]>> = {
  count,
  index,
  copy: ['', (self) => [...listItems(self)!]],
};
export const tupleMethods: Record<string, Builtin<[Value]>> = { count, index };

export const pairs = (dict: Dict): Value[] => dict.entries().map(([key, value]) => new Tuple([key, value]));

export const dictMethods: Record<string, Builtin<[Dict]>> = {
  get: ['key default?', (self, key: Value, otherwise: Value = null) => orElse(self.get(key), () => otherwise)],
  keys: ['', (self) => new Sequence('dict_keys', self.keys())],
  values: ['', (self) => new Sequence('dict_values', self.values())],
  items: ['', (self) => new Sequence('dict_items', pairs(self))],
  copy: ['', (self) => Dict.from(self.entries())],
  fromkeys: [
    'keys value?',
    (_, keys: Value, value: Value = null) => Dict.from(iterate(keys).map((key) => [key, value])),
  ],
};

export const numberMethods: Record<string, Builtin<[Value]>> = {
  is_integer: ['', (self) => typeof self !== 'number' || Number.isInteger(self)],
  bit_length: [
    '',
    (self) =>
      BigInt(
        Number(self) === 0
          ? 0
          : BigInt(self as bigint)
              .toString(2)
              .replace('-', '').length,
      ),
  ],
  conjugate: ['', (self) => self],
};
