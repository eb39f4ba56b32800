// The filters for numbers.

import type { Builtin } from '../arguments.js';
import { isNumber } from '../compare.js';
import { renderError } from '../errors.js';
import { spend } from '../limits.js';
import { integerArgument, numeric } from '../operators.js';
import { strip, Text } from '../text.js';
import { typeOf, Undefined, undefinedError, type Value } from '../values.js';

type Filter = Builtin<[Value]>;

export function requireNumber(value: Value, filter: string): bigint | number {
  if (isNumber(value)) return numeric(value);
  if (value instanceof Undefined) throw undefinedError(value);
  throw renderError(`${filter} needs a number, not a ${typeOf(value)}`);
}

// Digits match in one way only: the time is linear.
const floatPattern = /^[-+]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:e[-+]?\d(?:_?\d)*)?$/i;

/** float() of Python; undefined where it fails. */
export function parsedFloat(value: Value): number | undefined {
  if (value instanceof Undefined) throw undefinedError(value);
  if (isNumber(value)) return Number(value);
  if (!(value instanceof Text)) return undefined;
  const source = strip(value).value;
  const named = /^([-+]?)(inf|infinity|nan)$/i.exec(source);
  if (named) return named[2]!.toLowerCase() === 'nan' ? NaN : named[1] === '-' ? -Infinity : Infinity;
  return floatPattern.test(source) ? Number(source.replaceAll('_', '')) : undefined;
}

const digitsOf = '0123456789abcdefghijklmnopqrstuvwxyz';

/** int() of Python for strings. */
function parsedInteger(value: Text, base: number): bigint | undefined {
  const found = /^([-+]?)(0[xob])?(\w+)$/i.exec(strip(value).value.toLowerCase());
  if (!found || found[3]!.length > 4300) return undefined;
  const prefixed = { '0x': 16, '0o': 8, '0b': 2 }[found[2] ?? ''];
  if (prefixed !== undefined && base !== 0 && base !== prefixed) return undefined;
  const radix = base || prefixed || 10;
  if (!/^[\da-z]+(?:_[\da-z]+)*$/.test(found[3]!)) return undefined;
  let result = 0n;
  for (const digit of found[3]!.replaceAll('_', '')) {
    spend(8);
    const place = digitsOf.indexOf(digit);
    if (place < 0 || place >= radix) return undefined;
    result = result * BigInt(radix) + BigInt(place);
  }
  return found[1] === '-' ? -result : result;
}

function int(value: Value, otherwise: Value = 0n, base?: Value): Value {
  if (value instanceof Undefined) throw undefinedError(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value);
  const whole = value instanceof Text ? parsedInteger(value, integerArgument(base, 'base', 10)) : undefined;
  if (whole !== undefined) return whole;
  const number = parsedFloat(value);
  return number === undefined || !Number.isFinite(number) ? otherwise : BigInt(Math.trunc(number));
}

export const numberFilters: Record<string, Filter> = {
  abs: [
    '',
    (value) => {
      const number = requireNumber(value, 'abs');
      return number < 0 || Object.is(number, -0) ? -number : number;
    },
  ],
  int: ['default? base?', int],
  float: [
    'default?',
    (value, otherwise: Value = 0) => {
      return parsedFloat(value) ?? otherwise;
    },
  ],
};
