// The fields of a request's body. Every field is either read or refused: none is ignored.

import { isA, oneOf, type Rule, shown } from '../base/values.js';
import { ApiError, invalidField, unsupportedField } from './api_error.js';

export type Fields = Readonly<Record<string, unknown>>;

/** What the values of fields must be, by their names. */
export type FieldRules = Readonly<Record<string, Rule>>;

/**
 * The members of an object, without those that are null, which counts as absent. `path`: where it is in the body, which
 * itself has the path ''.
 */
export function readFields(value: unknown, rules: FieldRules, path = ''): Fields {
  if (!isA(value, 'Object')) throw invalidField(path, `${path === '' ? 'the body' : `'${path}'`} must be an object`);
  const given = Object.entries(value as object).filter(([, member]) => member !== null);
  for (const [name, member] of given) {
    const param = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(rules, name)) throw unsupportedField(param, `'${param}' is not supported`);
    const [expected, check] = rules[name]!;
    if (!check(member)) throw invalidField(param, `'${param}' must be ${expected}, not ${shown(member)}`);
  }
  return Object.fromEntries(given);
}

/** The value of a field that must be there. */
export function required<T>(fields: Fields, name: string, path = name): T {
  if (fields[name] !== undefined) return fields[name] as T;
  throw new ApiError(400, `'${path}' is missing`, path, 'missing_required_parameter');
}

export const anything: Rule = ['anything', () => true];
export const text: Rule = ['a string', (value) => typeof value === 'string'];
export const list: Rule = ['an array', Array.isArray];
export const object: Rule = ['an object', (value) => isA(value, 'Object')];
export const boolean = oneOf(true, false);
export const integer = (least: number, most: number): Rule => [
  `an integer from ${least} to ${most}`,
  (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
];
export const numberBetween = (least: number, most: number): Rule => [
  `a number from ${least} to ${most}`,
  (value) => typeof value === 'number' && value >= least && value <= most,
];
