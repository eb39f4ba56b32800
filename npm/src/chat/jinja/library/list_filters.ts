// The filters for lists and dicts.

import type { Builtin } from '../arguments.js';
import { item, method } from '../attributes.js';
import { compare, equal, isTrue, iterable, iterate, lengthOf } from '../compare.js';
import { renderError } from '../errors.js';
import { spend } from '../limits.js';
import { calculate } from '../operators.js';
import { str } from '../printing.js';
import { characters, emptyText, join, Text } from '../text.js';
import {
  Dict,
  hashKey,
  listItems,
  orElse,
  Sequence,
  Tuple,
  typeOf,
  Undefined,
  undefinedError,
  type Value,
} from '../values.js';
import { caseOf, type Getter, getter, getters } from './lookups.js';
import { pairs } from './methods.js';

type Filter = Builtin<[Value]>;

export const isGiven = (value: Value | undefined): boolean => value !== undefined && isTrue(value);
export const generator = (items: readonly Value[]) => new Sequence('generator', items);

/** Stable, as in Python, also backwards. */
export function sorted<T>(items: readonly T[], order: (a: T, b: T) => number, reverse: boolean): T[] {
  spend(items.length);
  return [...items].sort(reverse ? (a, b) => order(b, a) : order);
}

function orderOfLists(a: readonly Value[], b: readonly Value[]): number {
  const at = a.findIndex((value, i) => !equal(value, b[i]!));
  return at < 0 ? 0 : compare(a[at]!, b[at]!);
}

function sort(value: Value, reverse?: Value, caseSensitive?: Value, attribute?: Value): Value {
  const keys = getters(attribute, caseOf(isGiven(caseSensitive)));
  const items = iterate(value).map((each) => ({ each, keys: keys(each) }));
  return sorted(items, (a, b) => orderOfLists(a.keys, b.keys), isGiven(reverse)).map(({ each }) => each);
}

function dictsort(value: Value, caseSensitive?: Value, by?: Value, reverse?: Value): Value {
  if (value instanceof Undefined) throw undefinedError(value);
  if (!(value instanceof Dict)) throw renderError(`dictsort needs a dict, not a ${typeOf(value)}`);
  const name = by === undefined ? 'key' : str(by).value;
  if (name !== 'key' && name !== 'value') throw renderError("dictsort sorts by 'key' or 'value'");
  const fold = caseOf(isGiven(caseSensitive));
  const items = value.entries().map((entry) => ({ entry, key: fold(entry[name === 'key' ? 0 : 1]) }));
  return sorted(items, (a, b) => compare(a.key, b.key), isGiven(reverse)).map(({ entry }) => new Tuple(entry));
}

function extreme(sign: 1 | -1): Filter {
  return [
    'case_sensitive? attribute?',
    (value, caseSensitive?: Value, attribute?: Value) => {
      const key = getter(attribute, caseOf(isGiven(caseSensitive)));
      const [first, ...rest] = iterate(value);
      if (first === undefined) return new Undefined('an empty list has no smallest or largest item');
      let best = { each: first, key: key(first) };
      for (const each of rest) {
        const other = { each, key: key(each) };
        if (compare(other.key, best.key) * sign < 0) best = other;
      }
      return best.each;
    },
  ];
}

function unique(value: Value, caseSensitive?: Value, attribute?: Value): Value {
  const key: Getter = getter(attribute, caseOf(isGiven(caseSensitive)));
  const seen = new Set<unknown>();
  return generator(
    iterate(value).filter((each) => {
      const hash = hashKey(key(each));
      return !seen.has(hash) && seen.add(hash);
    }),
  );
}

function reverse(value: Value): Value {
  if (value instanceof Text) return join(characters(value).reverse());
  return generator([...iterate(value)].reverse());
}

function edge(at: 0 | -1): Filter {
  return [
    '',
    (value) => {
      if (value instanceof Text) return item(value, BigInt(at));
      if (at === -1 && value instanceof Sequence && value.kind === 'generator')
        throw renderError('last needs a list: use list first');
      const items =
        at === -1 && !(value instanceof Dict) && !(value instanceof Sequence) ? listItems(value) : iterable(value);
      if (!items) {
        if (value instanceof Undefined) return new Undefined('an empty list has no first or last item');
        throw renderError(`a ${typeOf(value)} has no first or last item`);
      }
      return orElse(items.at(at), () => new Undefined('an empty list has no first or last item'));
    },
  ];
}

export const listFilters: Record<string, Filter> = {
  length: ['', (value) => BigInt(lengthOf(value))],
  count: ['', (value) => BigInt(lengthOf(value))],
  list: ['', (value) => [...iterate(value)]],
  first: edge(0),
  last: edge(-1),
  join: [
    'd? attribute?',
    (value, separator?: Value, attribute?: Value) =>
      join(
        iterate(value).map((each) => str(getter(attribute)(each))),
        separator === undefined ? emptyText : str(separator),
      ),
  ],
  sort: ['reverse? case_sensitive? attribute?', sort],
  dictsort: ['case_sensitive? by? reverse?', dictsort],
  items: [
    '',
    (value) => {
      if (value instanceof Undefined) return generator([]);
      if (!(value instanceof Dict)) throw renderError(`items needs a dict, not a ${typeOf(value)}`);
      return generator(pairs(value));
    },
  ],
  unique: ['case_sensitive? attribute?', unique],
  min: extreme(1),
  max: extreme(-1),
  sum: [
    'attribute? start?',
    (value, attribute?: Value, start: Value = 0n) => {
      if (start instanceof Text) throw renderError('sum adds numbers and lists, not strings: use join');
      return iterate(value)
        .map(getter(attribute))
        .reduce((sum, each) => calculate('+', sum, each), start);
    },
  ],
  reverse: ['', reverse],
  // Rendering the same conversation gives the same text: the choice is always the first item.
  random: ['', (value) => orElse(iterate(value)[0], () => new Undefined('an empty list has no random item'))],
  attr: [
    'name',
    (value, name: Value) => {
      if (value instanceof Undefined) throw undefinedError(value);
      return orElse(
        method(value, str(name).value),
        () => new Undefined(`a ${typeOf(value)} has no attribute '${str(name).value}'`),
      );
    },
  ],
  default: [
    'default_value? boolean?',
    (value, otherwise: Value = emptyText, boolean?: Value) =>
      value instanceof Undefined || (isGiven(boolean) && !isTrue(value)) ? otherwise : value,
  ],
};
listFilters.d = listFilters.default!;
