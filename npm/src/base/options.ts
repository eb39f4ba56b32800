// Options are checked by a table of rules: one that is unknown or cannot be honoured is an error, never ignored.

import { inputError } from './errors.js';
import { isA, typeName } from './values.js';

type Check = (value: unknown) => boolean;

/** What a value must be, in words, and the test for it. */
export type Rule = readonly [expected: string, check: Check];

export const oneOf = (...values: unknown[]): Rule => [
  values.map((value) => JSON.stringify(value)).join(', '),
  (value) => values.includes(value),
];
export const integer = (least: number, most: number): Rule => [
  `an integer from ${least} to ${most}`,
  (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
];
export const safeInteger: Rule = ['an integer', Number.isSafeInteger];
export const numberBetween = (least: number, most: number): Rule => [
  `a number from ${least} to ${most}`,
  (value) => typeof value === 'number' && value >= least && value <= most,
];
export const either = (first: Rule, second: Rule): Rule => [
  `${first[0]} or ${second[0]}`,
  (value) => first[1](value) || second[1](value),
];
export const callback: Rule = ['a function', (value) => typeof value === 'function'];
export const iterable: Rule = [
  'an iterable',
  (value) => typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value),
];
/** An object literal that can be written as JSON. */
export const plainObject: Rule = ['a plain object', (value) => isA(value, 'Object') && isJson(value)];
export const boolean: Rule = ['true or false', (value) => typeof value === 'boolean'];
export const text: Rule = ['a string', (value) => typeof value === 'string'];
export const bytes: Rule = ['bytes', (value) => ArrayBuffer.isView(value) || isA(value, 'ArrayBuffer')];
export const signal: Rule = ['an AbortSignal', (value) => isA(value, 'AbortSignal')];

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** Every option is known and of the right type; those that are undefined count as left out. */
export function checkOptions(options: unknown, rules: Record<string, Rule>, where: string): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw inputError('wrong_type', `${where}: options must be an object, not ${typeName(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw inputError('unknown_option', `${where}: there is no option '${name}'`);
    const [expected, check] = rule;
    if (value === undefined || check(value)) continue;
    const given = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : typeName(value);
    throw inputError('out_of_range', `${where}: option '${name}' must be ${expected}, not ${given}`);
  }
}

/** An option that there must be. */
export function requireOption<Options, Name extends keyof Options & string>(
  options: Options | undefined,
  name: Name,
  where: string,
): NonNullable<Options[Name]> {
  const value = options?.[name];
  if (value === undefined || value === null) throw inputError('missing', `${where}: option '${name}' is missing`);
  return value;
}
