// Truth, equality and order of values, as in Python.

import { renderError } from './errors.js';
import { spend, spendOn } from './limits.js';
import { characters, countCharacters, spendOnSearch, Text } from './text.js';
import { Dict, listItems, Range, Sequence, typeOf, Undefined, undefinedError, type Value } from './values.js';

export function isTrue(value: Value): boolean {
  if (value === null || value === false || value === true) return value === true;
  if (typeof value === 'bigint') return value !== 0n;
  if (typeof value === 'number') return value !== 0;
  if (value instanceof Text) return value.length > 0;
  if (value instanceof Undefined) return false;
  if (value instanceof Dict) return value.size > 0;
  const items = listItems(value);
  if (items) return items.length > 0;
  if (value instanceof Sequence && value.kind !== 'generator') return value.items.length > 0;
  return true;
}

/** bool counts as int. */
export const isNumber = (value: Value): value is boolean | bigint | number =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';

/** For comparisons only: JavaScript compares numbers with bigints exactly. */
const comparable = (value: boolean | bigint | number): bigint | number =>
  typeof value === 'boolean' ? BigInt(value) : value;

// biome-ignore lint/suspicious/noDoubleEquals: a number is never === a bigint
const sameNumber = (a: bigint | number, b: bigint | number): boolean => a == b;

export function equal(a: Value, b: Value): boolean {
  spend();
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return sameNumber(comparable(a), comparable(b));
  if (a instanceof Text) {
    if (!(b instanceof Text) || a.length !== b.length) return false;
    spendOn(a.length);
    return a.value === b.value;
  }
  if (a instanceof Undefined) return b instanceof Undefined;
  if (a instanceof Dict) return b instanceof Dict && equalDicts(a, b);
  const one = listItems(a);
  const other = listItems(b);
  if (!one || !other || typeOf(a) !== typeOf(b)) return false;
  return one.length === other.length && one.every((item, i) => item === other[i] || equal(item, other[i]!));
}

function equalDicts(a: Dict, b: Dict): boolean {
  if (a.size !== b.size) return false;
  return a.entries().every(([key, value]) => {
    const other = b.get(key);
    return other !== undefined && (other === value || equal(value, other));
  });
}

/** Below 0, 0 or above 0; NaN where a number is not comparable. */
export function compare(a: Value, b: Value, operator = '<'): number {
  spend();
  if (isNumber(a) && isNumber(b)) {
    const [x, y] = [comparable(a), comparable(b)];
    return x < y ? -1 : x > y ? 1 : sameNumber(x, y) ? 0 : NaN;
  }
  if (a instanceof Text && b instanceof Text) return compareTexts(a.value, b.value);
  const [one, other] = [listItems(a), listItems(b)];
  if (one && other && typeOf(a) === typeOf(b) && !(a instanceof Range)) {
    for (let i = 0; i < one.length && i < other.length; ++i) {
      if (!equal(one[i]!, other[i]!)) return compare(one[i]!, other[i]!, operator);
    }
    return one.length - other.length;
  }
  for (const value of [a, b]) if (value instanceof Undefined) throw undefinedError(value);
  throw renderError(`'${operator}' is not supported between ${typeOf(a)} and ${typeOf(b)}`);
}

/** Compares by code points. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) ++at;
  spend(at / 16);
  const [x = -1, y = -1] = [a.codePointAt(at), b.codePointAt(at)];
  return x - y;
}

/** The items of anything that `for` accepts. */
export function iterate(value: Value): readonly Value[] {
  const items = iterable(value);
  if (!items) throw renderError(`a ${typeOf(value)} cannot be looped over`);
  spend(items.length / 2);
  return items;
}

/** The items of a value; undefined if it cannot be looped over. */
export function iterable(value: Value): readonly Value[] | undefined {
  if (value instanceof Text) return characters(value);
  if (value instanceof Dict) return value.keys();
  if (value instanceof Undefined) return [];
  if (value instanceof Sequence) return value.items;
  return listItems(value);
}

/** len() */
export function lengthOf(value: Value): number {
  if (value instanceof Text) return countCharacters(value.value);
  if (value instanceof Dict) return value.size;
  if (value instanceof Undefined) return 0;
  if (value instanceof Sequence && value.kind !== 'generator') return value.items.length;
  const items = listItems(value);
  if (items) return items.length;
  throw renderError(`a ${typeOf(value)} has no length`);
}

/** `item in container` */
export function contains(container: Value, item: Value): boolean {
  if (container instanceof Text) {
    if (!(item instanceof Text)) {
      if (item instanceof Undefined) throw undefinedError(item);
      throw renderError(`'in' of a string needs a string, not a ${typeOf(item)}`);
    }
    spendOnSearch(container, item);
    return container.value.includes(item.value);
  }
  if (container instanceof Dict) return container.get(item) !== undefined;
  const items = iterable(container);
  if (items) return items.some((each) => each === item || equal(each, item));
  throw renderError(`'in' needs a list, a dict or a string, not a ${typeOf(container)}`);
}
