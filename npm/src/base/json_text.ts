// JSON of values as they were read: integers of any size keep all their digits.

import { isA } from './values.js';

/** The same as JSON.stringify for what JSON holds, and all digits of a bigint. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (!isA(value, 'Object')) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value as object).filter(([, each]) => each !== undefined);
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${jsonText(each)}`).join(',')}}`;
}

/** JSON has infinity only as a number that is too large, and -0 is a number that JSON.stringify does not write. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Math.abs(value) === Infinity ? `${value < 0 ? '-' : ''}1e999` : JSON.stringify(value);
}
