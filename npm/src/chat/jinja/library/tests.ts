// The tests of values: `x is NAME`.

import type { Builtin } from '../arguments.js';
import { compare, contains, equal, isNumber, iterable } from '../compare.js';
import { calculate } from '../operators.js';
import { str } from '../printing.js';
import { Text } from '../text.js';
import { Attributes, Callable, Dict, listItems, typeOf, Undefined, type Value } from '../values.js';
import { isLower, isUpper } from './text_cases.js';

type Test = Builtin<[Value]>;

const parity = (odd: boolean): Test => ['', (value) => equal(calculate('%', value, 2n), odd)];
const ordered = (operator: string, holds: (order: number) => boolean): Test => [
  'b',
  (a, b: Value) => holds(compare(a, b, operator)),
];
const equals: Test = ['b', equal];
const differs: Test = ['b', (a, b: Value) => !equal(a, b)];
const below = ordered('<', (order) => order < 0);
const above = ordered('>', (order) => order > 0);
const notAbove = ordered('<=', (order) => order <= 0);
const notBelow = ordered('>=', (order) => order >= 0);

/** Python asks for a length and for items. */
function isSequence(value: Value): boolean {
  return value instanceof Text || value instanceof Dict || value instanceof Undefined || listItems(value) !== undefined;
}

function isIterable(value: Value): boolean {
  return (
    isSequence(value) ||
    typeOf(value) === 'generator' ||
    typeOf(value).startsWith('dict_') ||
    iterable(value) !== undefined
  );
}

export const valueTests: Record<string, Test> = {
  defined: ['', (value) => !(value instanceof Undefined)],
  undefined: ['', (value) => value instanceof Undefined],
  none: ['', (value) => value === null],
  boolean: ['', (value) => typeof value === 'boolean'],
  true: ['', (value) => value === true],
  false: ['', (value) => value === false],
  integer: ['', (value) => typeof value === 'bigint'],
  float: ['', (value) => typeof value === 'number'],
  number: ['', isNumber],
  string: ['', (value) => value instanceof Text],
  mapping: ['', (value) => value instanceof Dict],
  sequence: ['', isSequence],
  iterable: ['', isIterable],
  callable: [
    '',
    (value) =>
      value instanceof Callable ||
      (value instanceof Attributes && value.call !== undefined) ||
      value instanceof Undefined,
  ],
  lower: ['', (value) => isLower(str(value).value)],
  upper: ['', (value) => isUpper(str(value).value)],
  odd: parity(true),
  even: parity(false),
  divisibleby: ['num', (value, num: Value) => equal(calculate('%', value, num), 0n)],
  sameas: [
    'other',
    (value, other: Value) =>
      value === other || (value instanceof Text && other instanceof Text && value.value === other.value),
  ],
  in: ['seq', (value, seq: Value) => contains(seq, value)],
  escaped: ['', () => false],
  '==': equals,
  eq: equals,
  equalto: equals,
  '!=': differs,
  ne: differs,
  '<': below,
  lt: below,
  lessthan: below,
  '>': above,
  gt: above,
  greaterthan: above,
  '<=': notAbove,
  le: notAbove,
  '>=': notBelow,
  ge: notBelow,
};
