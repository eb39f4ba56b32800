// Arithmetic, as in Python.

import { isNumber } from './compare.js';
import { renderError } from './errors.js';
import { rareParts } from './library/rare_parts.js';
import { checkItems, spend } from './limits.js';
import type { MathOperator } from './syntax.js';
import { concat, repeat, Text } from './text.js';
import { Tuple, typeOf, Undefined, undefinedError, type Value } from './values.js';

/** The limit of Python, which does not print ints of more digits. */
const largest = 10n ** 4300n;

/** A number for arithmetic: bool counts as int. */
export const numeric = (value: boolean | bigint | number): bigint | number =>
  typeof value === 'boolean' ? BigInt(value) : value;

export function calculate(operator: MathOperator, left: Value, right: Value): Value {
  if (isNumber(left) && isNumber(right)) return ofNumbers(operator, numeric(left), numeric(right));
  if (operator === '+') {
    if (left instanceof Text && right instanceof Text) return concat(left, right);
    if (Array.isArray(left) && Array.isArray(right)) return joined(left, right);
    if (left instanceof Tuple && right instanceof Tuple) return new Tuple(joined(left.items, right.items));
  }
  if (operator === '*') {
    const product = isNumber(left) ? repeated(right, left) : isNumber(right) ? repeated(left, right) : undefined;
    if (product !== undefined) return product;
  }
  if (operator === '%' && left instanceof Text) return rareParts().percentFormat(left, right);
  for (const value of [left, right]) if (value instanceof Undefined) throw undefinedError(value);
  throw renderError(`'${operator}' is not possible with ${typeOf(left)} and ${typeOf(right)}`);
}

function joined(left: readonly Value[], right: readonly Value[]): Value[] {
  checkItems(left.length + right.length);
  return [...left, ...right];
}

function repeated(value: Value, times: boolean | bigint | number): Value | undefined {
  if (typeof times === 'number') return undefined;
  const count = Math.max(0, Number(times));
  if (value instanceof Text) return repeat(value, count);
  const items = Array.isArray(value) ? value : value instanceof Tuple ? value.items : undefined;
  if (!items) return undefined;
  checkItems(items.length * count);
  const all = Array<readonly Value[]>(items.length ? count : 0)
    .fill(items)
    .flat();
  return Array.isArray(value) ? all : new Tuple(all);
}

function ofNumbers(operator: MathOperator, left: bigint | number, right: bigint | number): Value {
  if (operator === '/') return divided(Number(left), Number(right));
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    spendOnInteger(left);
    spendOnInteger(right);
    if (operator === '**' && right < 0n) return divided(1, Number(left) ** Number(-right));
    return checkedInteger(integers[operator](left, right));
  }
  return floats[operator](Number(left), Number(right));
}

/** Counts arithmetic with a large integer: with 4300 digits it takes as long as 200 steps. */
export function spendOnInteger(value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) spend(200);
}

export function checkedInteger(value: bigint): bigint {
  spendOnInteger(value);
  if (value < largest && value > -largest) return value;
  throw renderError('an integer has more than 4300 digits');
}

function divided(left: number, right: number): number {
  if (right === 0) throw renderError('division by zero');
  return left / right;
}

function floorDivided(left: bigint, right: bigint): bigint {
  if (right === 0n) throw renderError('division by zero');
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

/** The result has the sign of the divisor. */
function remainder(left: number, right: number): number {
  if (right === 0) throw renderError('division by zero');
  const rest = left % right;
  if (rest === 0) return right < 0 ? -0 : 0;
  return rest < 0 !== right < 0 ? rest + right : rest;
}

function power(left: bigint, right: bigint): bigint {
  const digits = left.toString(2).length * Number(right);
  if (left !== 0n && left !== 1n && left !== -1n && digits > 15_000)
    throw renderError('an integer has more than 4300 digits');
  return left ** right;
}

type Calculation<T> = Record<Exclude<MathOperator, '/'>, (left: T, right: T) => T>;

const integers: Calculation<bigint> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '//': floorDivided,
  '%': (left, right) => left - right * floorDivided(left, right),
  '**': power,
};

const floats: Calculation<number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '//': (left, right) => Math.round((left - remainder(left, right)) / right),
  '%': remainder,
  '**': (left, right) => left ** right,
};

export function negated(value: Value): Value {
  if (isNumber(value)) return -numeric(value);
  if (value instanceof Undefined) throw undefinedError(value);
  throw renderError(`'-' is not possible with ${typeOf(value)}`);
}

export function positive(value: Value): Value {
  if (isNumber(value)) return numeric(value);
  if (value instanceof Undefined) throw undefinedError(value);
  throw renderError(`'+' is not possible with ${typeOf(value)}`);
}

/** The int that an argument must be; `otherwise` if it is not given. */
export function integerArgument(value: Value | undefined, what: string, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  if (value instanceof Undefined) throw undefinedError(value);
  throw renderError(`${what} must be an integer, not a ${typeOf(value)}`);
}
