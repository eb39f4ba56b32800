// Rules for common kinds of values. Those that every part of the package needs are in options.ts.

import type { Rule } from './options.js';

export const integer = (least: number, most: number): Rule => [
  `an integer from ${least} to ${most}`,
  (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
];
export const numberBetween = (least: number, most: number): Rule => [
  `a number from ${least} to ${most}`,
  (value) => typeof value === 'number' && value >= least && value <= most,
];
export const either = (first: Rule, second: Rule): Rule => [
  `${first[0]} or ${second[0]}`,
  (value) => first[1](value) || second[1](value),
];
export const callback: Rule = ['a function', (value) => typeof value === 'function'];
export const boolean: Rule = ['true or false', (value) => typeof value === 'boolean'];
