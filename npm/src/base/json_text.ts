// JSON of values as they were read: integers of any size keep all their digits.

import { isA } from './values.js';

/** Like JSON.stringify, but a bigint keeps all its digits, and what JSON.stringify leaves out is null. */
export const jsonText = (value: unknown): string => textOf(value, '') ?? 'null';

/** Undefined for what JSON.stringify leaves out. */
function textOf(given: unknown, key: string): string | undefined {
  const { toJSON } = Object(given ?? undefined) as { toJSON?: (key: string) => unknown };
  const value = typeof toJSON === 'function' ? toJSON.call(given, key) : given;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map((each, i) => textOf(each, String(i)) ?? 'null').join(',')}]`;
  if (!isA(value, 'Object')) return JSON.stringify(value) as string | undefined;
  const members = Object.entries(value as object).flatMap(([name, each]) => {
    const text = textOf(each, name);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** JSON has infinity only as a number that is too large, and -0 is a number that JSON.stringify does not write. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Math.abs(value) === Infinity ? `${value < 0 ? '-' : ''}1e999` : JSON.stringify(value);
}
