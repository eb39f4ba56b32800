// Numbers as the format codes of Python write them: f, e, g, d, x, o, b, %.

import { renderError } from '../../errors.js';
import { checkLength, spendOn } from '../../limits.js';
import { floatText } from '../../printing.js';

const maxDigits = 100;

/** Half to even, as Python rounds. toFixed() rounds half up. */
export function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return floatText(value);
  const digits = Math.min(precision, maxDigits);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e21) return signed(value, BigInt(magnitude).toString() + (digits ? `.${'0'.repeat(digits)}` : ''));
  let rounded = magnitude.toFixed(digits);
  const exact = magnitude.toFixed(maxDigits);
  const rest = exact.slice(exact.indexOf('.') + 1 + digits);
  // The digits of a value that lies in the middle: the even neighbor is below if the last digit kept is even.
  if (/^50*$/.test(rest) && digits < maxDigits) {
    const kept = exact.slice(0, exact.indexOf('.') + (digits ? 1 + digits : 0));
    if (Number(kept.at(-1)) % 2 === 0) rounded = kept;
  }
  return signed(value, rounded);
}

const signed = (value: number, magnitude: string) => (value < 0 || Object.is(value, -0) ? `-${magnitude}` : magnitude);

function exponential(value: number, precision: number): string {
  if (!Number.isFinite(value)) return floatText(value);
  const [mantissa, exponent] = value.toExponential(Math.min(precision, maxDigits)).split('e') as [string, string];
  return `${Object.is(value, -0) ? '-' : ''}${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** `keepsZeros`: the alternative form. */
function general(value: number, precision: number, keepsZeros: boolean): string {
  if (!Number.isFinite(value)) return floatText(value);
  const digits = Math.max(1, Math.min(precision, maxDigits));
  const power = value === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1]);
  if (power < -4 || power >= digits) {
    const [mantissa, exponent] = exponential(value, digits - 1).split('e') as [string, string];
    return `${keepsZeros ? mantissa : shortened(mantissa)}e${exponent}`;
  }
  const plain = fixed(value, digits - 1 - power);
  return keepsZeros ? plain : shortened(plain);
}

const shortened = (digits: string) => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);

/** A float in the format `code`; `precision` is 6 if it is not given. */
export function formatFloat(value: number, code: string, precision: number | undefined, alternative = false): string {
  const digits = precision ?? 6;
  const lower = code.toLowerCase();
  const written =
    lower === 'f'
      ? fixed(value, digits)
      : lower === 'e'
        ? exponential(value, digits)
        : lower === 'g'
          ? general(value, digits, alternative)
          : lower === '%'
            ? `${fixed(value * 100, digits)}%`
            : undefined;
  if (written === undefined) throw renderError(`unknown format code '${code}' for a float`);
  return code === lower ? written : written.toUpperCase();
}

const bases: Record<string, [radix: number, prefix: string]> = {
  d: [10, ''],
  i: [10, ''],
  u: [10, ''],
  n: [10, ''],
  b: [2, '0b'],
  o: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
};

/** An int in the format `code`. */
export function formatInteger(value: bigint, code: string, alternative = false): string {
  const base = bases[code];
  if (!base) throw renderError(`unknown format code '${code}' for an int`);
  const magnitude = (value < 0n ? -value : value).toString(base[0]);
  return `${value < 0n ? '-' : ''}${alternative ? base[1] : ''}${code === 'X' ? magnitude.toUpperCase() : magnitude}`;
}

/** Checks a width or precision that a template gives. */
export function checkedWidth(width: number): number {
  checkLength(width);
  spendOn(width);
  return width;
}
