// Checks options against a table of rules. Unknown options and invalid values are errors, never ignored.

import { inputError } from './errors.js';
import { isA, shown, typeName } from './values.js';

type Check = (value: unknown) => boolean;

/** What a value must be, for messages, and the test for it. */
export type Rule = readonly [expected: string, check: Check];

export const oneOf = (...values: unknown[]): Rule => [
  values.map((value) => JSON.stringify(value)).join(', '),
  (value) => values.includes(value),
];
export const safeInteger: Rule = ['an integer', Number.isSafeInteger];
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
