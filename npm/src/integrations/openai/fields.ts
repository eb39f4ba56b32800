// The fields of a request's body. Every field is either read or rejected: none is ignored.

import { isA, oneOf, type Rule, shown } from '../../base/values.js';
import { ApiError, invalidField, unsupportedField } from './api_error.js';

/** The rules for the values of fields, by their names. */
export type FieldRules = Readonly<Record<string, Rule>>;

/** The fields of an object, checked. A field that is null counts as absent. */
export class Fields {
  private readonly values: Readonly<Record<string, unknown>>;

  /** `path`: where the object is in the body, which itself has the path ''. */
  constructor(
    value: unknown,
    rules: FieldRules,
    private readonly path = '',
  ) {
    if (!isA(value, 'Object')) throw invalidField(path, 'an object');
    this.values = value as Record<string, unknown>;
    for (const [name, member] of Object.entries(this.values)) {
      if (member === null) continue;
      if (!Object.hasOwn(rules, name)) throw unsupportedField(this.pathOf(name));
      const [expected, check] = rules[name]!;
      if (!check(member)) throw invalidField(this.pathOf(name), `${expected}, not ${shown(member)}`);
    }
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  get<T>(name: string): T | undefined {
    return (this.values[name] ?? undefined) as T | undefined;
  }

  require<T>(name: string): T {
    const value = this.get<T>(name);
    if (value !== undefined) return value;
    const path = this.pathOf(name);
    throw new ApiError(400, `'${path}' is missing`, path, 'missing_required_parameter');
  }

  isTrue(name: string): boolean {
    return this.values[name] === true;
  }
}

/** Members that are not undefined. */
export const given = <T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

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
