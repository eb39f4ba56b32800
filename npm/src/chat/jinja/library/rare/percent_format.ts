// Formatting with %: 'x' % y, and the filter format.

import { isNumber } from '../../compare.js';
import { renderError } from '../../errors.js';
import { repr, str } from '../../printing.js';
import { charactersBetween, countCharacters, join, repeat, Text, TextBuilder, text } from '../../text.js';
import { Dict, Tuple, typeOf, Undefined, undefinedError, type Value } from '../../values.js';
import { checkedWidth, formatFloat, formatInteger } from './number_format.js';

const conversion = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([^])?/g;

export function percentFormat(format: Text, given: Value): Text {
  const args = given instanceof Tuple ? given.items : [given];
  const out = new TextBuilder();
  let taken = 0;
  let usesNames = false;
  const next = (): Value => {
    if (taken >= args.length) throw renderError('not enough values for the format string');
    return args[taken++]!;
  };
  const size = (source: string | undefined): number | undefined => {
    const value = source === '*' ? next() : source === undefined ? undefined : BigInt(source);
    if (value === undefined) return undefined;
    if (typeof value !== 'bigint') throw renderError('* needs an integer');
    return Number(value);
  };
  let at = 0;
  for (const found of format.value.matchAll(conversion)) {
    out.append(format.slice(at, found.index));
    at = found.index + found[0].length;
    const [whole, name, flags = '', width, precision, code] = found;
    if (code === '%') {
      out.append(format.slice(at - 1, at));
      continue;
    }
    if (!code) throw renderError(`incomplete format '${whole}'`);
    const columns = size(width);
    const digits = whole.includes('.') ? (size(precision) ?? 0) : undefined;
    let value: Value;
    if (name === undefined) {
      value = next();
    } else {
      usesNames = true;
      const named = given instanceof Dict ? given.named(name) : undefined;
      if (named === undefined) throw renderError(`the format string needs a value '${name}'`);
      value = named;
    }
    out.append(padded(converted(code, value, flags, digits), flags, columns, code));
  }
  // As in Python, a value that has items but is not a tuple may stay unused.
  const mayStayUnused =
    typeof given === 'object' && given !== null && !(given instanceof Tuple || given instanceof Text);
  if (!usesNames && !mayStayUnused && taken < args.length)
    throw renderError('not all values are used by the format string');
  return out.append(format.slice(at)).text();
}

function converted(code: string, value: Value, flags: string, precision: number | undefined): Text {
  if (code === 's' || code === 'r' || code === 'a') {
    const written = code === 's' ? str(value) : repr(value);
    return precision === undefined ? written : charactersBetween(written, 0, precision);
  }
  if (code === 'c' && value instanceof Text && countCharacters(value.value) === 1) return value;
  if (!isNumber(value)) {
    if (value instanceof Undefined) throw undefinedError(value);
    throw renderError(`%${code} needs a number, not a ${typeOf(value)}`);
  }
  const number = typeof value === 'boolean' ? BigInt(value) : value;
  if (code === 'c') return text(String.fromCodePoint(Math.min(Math.max(Number(number), 0), 0x10ffff)));
  const written = /[diuoxX]/.test(code)
    ? formatInteger(typeof number === 'bigint' ? number : BigInt(Math.trunc(number)), code, flags.includes('#'))
    : /[eEfFgG]/.test(code)
      ? formatFloat(Number(number), code, precision, flags.includes('#'))
      : undefined;
  if (written === undefined) throw renderError(`unsupported format character '${code}'`);
  const digits = /^-?(?:0[xXob])?/.exec(written)![0];
  const longer =
    /[diuoxX]/.test(code) && precision !== undefined
      ? digits + written.slice(digits.length).padStart(checkedWidth(precision), '0')
      : written;
  const sign = longer.startsWith('-') ? '' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  return text(sign + longer);
}

function padded(value: Text, flags: string, width: number | undefined, code: string): Text {
  const missing = (width ?? 0) - countCharacters(value.value);
  if (missing <= 0) return value;
  if (flags.includes('-')) return join([value, repeat(text(' '), missing)]);
  if (!flags.includes('0') || !/[diuoxXeEfFgG]/.test(code)) return join([repeat(text(' '), missing), value]);
  const sign = /^[-+ ]?(?:0[xXob])?/.exec(value.value)![0].length;
  return join([value.slice(0, sign), repeat(text('0'), missing), value.slice(sign)]);
}
