// The methods of strings. They keep the origin of every character.

import type { Builtin } from '../arguments.js';
import { isTrue, iterate } from '../compare.js';
import { renderError } from '../errors.js';
import { spend } from '../limits.js';
import { integerArgument } from '../operators.js';
import { requireText } from '../printing.js';
import { characterOf, countCharacters, emptyText, join, spendOnSearch, strip, type Text, unitOf } from '../text.js';
import { Tuple, type Value } from '../values.js';
import { capitalized, caseMethods, classMethods } from './text_cases.js';
import { replaced, split, splitAtSpace, splitLines } from './text_splits.js';

type Method = Builtin<[Text]>;

const stripping = (sides: -1 | 0 | 1): Method => [
  'chars?',
  (self, chars?: Value) =>
    strip(self, chars === undefined || chars === null ? undefined : requireText(chars, 'chars').value, sides),
];

const splitting = (fromRight: boolean): Method => [
  'sep? maxsplit?',
  (self, sep?: Value, maxsplit?: Value) => {
    const most = integerArgument(maxsplit, 'maxsplit', -1);
    const limit = most < 0 ? Infinity : most;
    if (sep === undefined || sep === null) return splitAtSpace(self, limit, fromRight);
    const separator = requireText(sep, 'sep');
    if (separator.length === 0) throw renderError('split: the separator is empty');
    return split(self, separator.value, limit, fromRight);
  },
];

const partition = (fromRight: boolean): Method => [
  'sep',
  (self, sep: Value) => {
    const separator = requireText(sep, 'sep').value;
    if (!separator) throw renderError('partition: the separator is empty');
    spendOnSearch(self, separator);
    const at = fromRight ? self.value.lastIndexOf(separator) : self.value.indexOf(separator);
    if (at < 0) return new Tuple(fromRight ? [emptyText, emptyText, self] : [self, emptyText, emptyText]);
    const end = at + separator.length;
    return new Tuple([self.slice(0, at), self.slice(at, end), self.slice(end)]);
  },
];

/** The part of a string that `start` and `end` choose, as slices do, and where it begins in units. */
function part(self: Text, start: Value | undefined, end: Value | undefined): { value: string; begin: number } {
  const length = countCharacters(self.value);
  const clamp = (given: Value | undefined, otherwise: number) => {
    const at = given === null ? otherwise : integerArgument(given, 'a position', otherwise);
    return Math.min(Math.max(at < 0 ? at + length : at, 0), length);
  };
  const begin = unitOf(self.value, clamp(start, 0));
  return { value: self.value.slice(begin, unitOf(self.value, clamp(end, length))), begin };
}

const searching = (name: string, find: (value: string, sought: string) => number, isRequired: boolean): Method => [
  'sub start? end?',
  (self, sub: Value, start?: Value, end?: Value) => {
    const { value, begin } = part(self, start, end);
    const sought = requireText(sub, 'sub').value;
    spendOnSearch(value, sought);
    const at = find(value, sought);
    if (at < 0 && isRequired) throw renderError(`${name}: the string is not found`);
    return BigInt(at < 0 ? -1 : characterOf(self.value, begin + at));
  },
];
const first = (value: string, sought: string) => value.indexOf(sought);
const last = (value: string, sought: string) => value.lastIndexOf(sought);

const affix = (matches: (value: string, affix: string) => boolean): Method => [
  'affix start? end?',
  (self, affixes: Value, start?: Value, end?: Value) => {
    const { value } = part(self, start, end);
    const all = affixes instanceof Tuple ? affixes.items : [affixes];
    return all.some((each) => matches(value, requireText(each, 'what a string starts or ends with').value));
  },
];

export const textMethods: Record<string, Method> = {
  ...caseMethods,
  ...classMethods,
  capitalize: ['', capitalized],
  strip: stripping(0),
  lstrip: stripping(-1),
  rstrip: stripping(1),
  split: splitting(false),
  rsplit: splitting(true),
  splitlines: ['keepends?', (self, keepends?: Value) => splitLines(self, keepends !== undefined && isTrue(keepends))],
  partition: partition(false),
  rpartition: partition(true),
  find: searching('find', first, false),
  rfind: searching('rfind', last, false),
  index: searching('index', first, true),
  rindex: searching('rindex', last, true),
  startswith: affix((value, sought) => value.startsWith(sought)),
  endswith: affix((value, sought) => value.endsWith(sought)),
  removeprefix: [
    'prefix',
    (self, prefix: Value) => {
      const { value } = requireText(prefix, 'prefix');
      return self.value.startsWith(value) ? self.slice(value.length) : self;
    },
  ],
  removesuffix: [
    'suffix',
    (self, suffix: Value) => {
      const { value } = requireText(suffix, 'suffix');
      return value && self.value.endsWith(value) ? self.slice(0, self.length - value.length) : self;
    },
  ],
  count: [
    'sub start? end?',
    (self, sub: Value, start?: Value, end?: Value) => {
      const sought = requireText(sub, 'sub').value;
      const { value } = part(self, start, end);
      spend(value.length / 8);
      spendOnSearch(value, sought);
      return BigInt(sought ? value.split(sought).length - 1 : countCharacters(value) + 1);
    },
  ],
  replace: [
    'old new count?',
    (self, old: Value, replacement: Value, count?: Value) => {
      const most = integerArgument(count, 'count', -1);
      return replaced(self, requireText(old, 'old').value, requireText(replacement, 'new'), most < 0 ? Infinity : most);
    },
  ],
  join: [
    'iterable',
    (self, items: Value) =>
      join(
        iterate(items).map((each) => requireText(each, 'what is joined')),
        self,
      ),
  ],
};
