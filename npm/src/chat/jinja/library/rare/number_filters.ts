// The rare filters for numbers.

import type { Builtin } from '../../arguments.js';
import { renderError } from '../../errors.js';
import { spend } from '../../limits.js';
import { integerArgument } from '../../operators.js';
import { Text, text } from '../../text.js';
import { typeOf, type Value } from '../../values.js';
import { parsedFloat, requireNumber } from '../number_filters.js';
import { fixed } from './number_format.js';

function round(value: Value, precision?: Value, method?: Value): Value {
  const number = requireNumber(value, 'round');
  const digits = integerArgument(precision, 'precision', 0);
  const name = method === undefined ? 'common' : method instanceof Text ? method.value : '';
  if (!['common', 'ceil', 'floor'].includes(name))
    throw renderError("round: the method is 'common', 'ceil' or 'floor'");
  if (name === 'common') {
    if (typeof number === 'bigint') return digits >= 0 ? number : roundedInteger(number, -digits);
    if (!Number.isFinite(number)) return number;
    if (digits < 0) return roundedTens(number, -digits);
    return Number(fixed(number, Math.min(digits, 100)));
  }
  const scale = 10 ** digits;
  return Math[name as 'ceil' | 'floor'](Number(number) * scale) / scale;
}

function roundedInteger(value: bigint, zeros: number): bigint {
  spend(300);
  const unit = 10n ** BigInt(Math.min(zeros, 4300));
  const rest = ((value % unit) + unit) % unit;
  const below = value - rest;
  if (rest * 2n < unit) return below;
  if (rest * 2n > unit) return below + unit;
  return (below / unit) % 2n === 0n ? below : below + unit;
}

const roundedTens = (value: number, zeros: number) =>
  zeros > 308 ? 0 : Number(fixed(value / 10 ** zeros, 0)) * 10 ** zeros;

const units = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

function fileSize(value: Value, binary?: Value): Text {
  const bytes = parsedFloat(value);
  if (bytes === undefined) throw renderError(`filesizeformat needs a number, not a ${typeOf(value)}`);
  const isBinary = binary === true;
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return text('1 Byte');
  if (bytes < base) return text(`${Math.trunc(bytes)} Bytes`);
  let step = 0;
  while (step < units.length - 1 && bytes >= base ** (step + 2)) ++step;
  const unit = isBinary ? `${units[step]!.toUpperCase()}iB` : `${units[step]}B`;
  return text(`${fixed((base * bytes) / base ** (step + 2), 1)} ${unit}`);
}

export const numberFilters: Record<'round' | 'filesizeformat', Builtin<[Value]>> = {
  round: ['precision? method?', round],
  filesizeformat: ['binary?', fileSize],
};
