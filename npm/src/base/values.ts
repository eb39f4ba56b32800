// Checks of arguments: values, and options against a table of rules. Unknown options and invalid values are errors,
// never ignored.

import { inputError } from './errors.js';

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Whether a value is an instance of a platform class, of any realm. */
export function isA(value: unknown, ...classes: string[]): boolean {
  return typeof value === 'object' && value !== null && classes.includes(tagOf(value));
}

export const isBytes = (value: unknown): value is Uint8Array => isA(value, 'Uint8Array');

/** The type of a value, for messages. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? tagOf(value) : typeof value;
}

/** A value for messages: primitives unchanged, objects by their type. */
export const shown = (value: unknown): string =>
  /^(object|function)$/.test(typeof value) ? typeName(value) : String(value);

type Check = (value: unknown) => boolean;

/** A description of valid values, for messages, and the test for them. */
export type Rule = readonly [expected: string, check: Check];

export const oneOf = (...values: unknown[]): Rule => [
  values.map((value) => JSON.stringify(value)).join(', '),
  (value) => values.includes(value),
];
export const safeInteger: Rule = ['an integer', (value) => Number.isSafeInteger(value)];
export const signal: Rule = ['an AbortSignal', (value) => isA(value, 'AbortSignal')];

/** Throws for unknown options and invalid values. An undefined value counts as absent. */
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
    throw inputError('out_of_range', `${where}: option '${name}' must be ${expected}, not ${shown(value)}`);
  }
}
