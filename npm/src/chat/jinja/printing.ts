// Values as Python prints them: str() and repr().

import { renderError } from './errors.js';
import { nested, spend } from './limits.js';
import { concat, emptyText, join, Text, text } from './text.js';
import {
  Attributes,
  Callable,
  Dict,
  listItems,
  Range,
  Sequence,
  type Tuple,
  Undefined,
  undefinedError,
  type Value,
} from './values.js';

/** str() */
export function str(value: Value): Text {
  if (value instanceof Text) return value;
  if (value instanceof Undefined) return emptyText;
  return repr(value);
}

/** repr() */
export function repr(value: Value): Text {
  spend();
  if (value === null) return text('None');
  if (typeof value === 'boolean') return text(value ? 'True' : 'False');
  if (typeof value === 'bigint') {
    const digits = value.toString();
    // The time is quadratic.
    spend(digits.length ** 2 / 8000);
    return text(digits);
  }
  if (typeof value === 'number') return text(floatText(value));
  if (value instanceof Text) return quoted(value);
  if (value instanceof Undefined) return text('Undefined');
  if (value instanceof Callable) return text(`<function ${value.name}>`);
  return nested(() => reprOfMany(value));
}

function reprOfMany(value: Value[] | Tuple | Dict | Range | Sequence | Attributes): Text {
  if (value instanceof Range)
    return text(`range(${value.start}, ${value.stop}${value.step === 1n ? '' : `, ${value.step}`})`);
  if (value instanceof Dict) {
    const entries = value.entries().map(([key, each]) => concat(repr(key), text(': '), repr(each)));
    return concat(text('{'), join(entries, text(', ')), text('}'));
  }
  const items = listItems(value);
  if (items) {
    const inside = join(items.map(repr), text(', '));
    if (Array.isArray(value)) return concat(text('['), inside, text(']'));
    return concat(text('('), inside, text(items.length === 1 ? ',)' : ')'));
  }
  if (value instanceof Sequence && value.kind !== 'generator')
    return concat(text(`${value.kind}([`), join(value.items.map(repr), text(', ')), text('])'));
  if (value instanceof Attributes && value.settable) {
    const named = Dict.from(Array.from(value.settable, ([name, each]) => [text(name), each]));
    return concat(text('<Namespace '), repr(named), text('>'));
  }
  // Python prints an address.
  return text(`<${(value as Sequence).kind}>`);
}

/** A float as Python prints it: with a point or an exponent. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    const digits = Math.abs(power).toString().padStart(2, '0');
    return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`;
  }
  const plain = power < 0 ? value.toFixed(mantissa.replace(/[-.]/g, '').length - 1 - power) : value.toString();
  return plain.includes('.') ? plain : `${plain}.0`;
}

const special = /(?! )[\\'"\p{C}\p{Zl}\p{Zp}\p{Zs}]/gu;
const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

/** The literal of a string, as Python writes it. */
function quoted(value: Text): Text {
  const quote = value.value.includes("'") && !value.value.includes('"') ? '"' : "'";
  const inside = value.map((part) => part.replace(special, (each) => escaped(each, quote)));
  return concat(text(quote), inside, text(quote));
}

function escaped(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const known = named[character];
  if (known) return known;
  if (character === '"' || character === "'") return character;
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** The string that an argument must be. */
export function requireText(value: Value, what: string): Text {
  if (value instanceof Text) return value;
  if (value instanceof Undefined) throw undefinedError(value);
  throw renderError(`${what} must be a string, not ${str(repr(value)).value.slice(0, 40)}`);
}
