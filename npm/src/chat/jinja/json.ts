// JSON as json.dumps() of Python writes it.

import { compare } from './compare.js';
import { renderError } from './errors.js';
import { nested, spend } from './limits.js';
import { floatText, repr } from './printing.js';
import { Text, TextBuilder } from './text.js';
import { Dict, listItems, Range, typeOf, type Value } from './values.js';

export interface JsonStyle {
  ensureAscii: boolean;
  /** The indentation of a level; undefined: all on one line. */
  indent: string | undefined;
  /** Between items, and between a key and its value. */
  separators: readonly [item: string, key: string];
  sortKeys: boolean;
}

/** The style of json.dumps(value, ensure_ascii=False). */
export const pythonStyle: JsonStyle = {
  ensureAscii: false,
  indent: undefined,
  separators: [', ', ': '],
  sortKeys: false,
};

export function toJson(value: Value, style: JsonStyle): Text {
  const out = new TextBuilder();
  write(value, style, '\n', out);
  return out.text();
}

function write(value: Value, style: JsonStyle, newline: string, out: TextBuilder): void {
  spend();
  if (value instanceof Text) return quote(value, style.ensureAscii, out);
  const simple = simpleText(value);
  if (simple !== undefined) return void out.add(simple);
  const inner = style.indent === undefined ? '' : newline + style.indent;
  const outer = style.indent === undefined ? '' : newline;
  const listed = <T>(brackets: string, items: readonly T[], one: (item: T) => void) => {
    out.add(brackets[0]!);
    items.forEach((item, i) => {
      out.add(i === 0 ? inner : style.separators[0] + inner);
      nested(() => one(item));
    });
    out.add((items.length > 0 ? outer : '') + brackets[1]!);
  };
  const next = newline + (style.indent ?? '');
  if (value instanceof Dict) {
    const entries = style.sortKeys ? [...value.entries()].sort(([a], [b]) => compare(a, b)) : value.entries();
    listed('{}', entries, ([key, each]) => {
      quote(keyText(key), style.ensureAscii, out);
      out.add(style.separators[1]);
      write(each, style, next, out);
    });
    return;
  }
  const items = value instanceof Range ? undefined : listItems(value);
  if (!items) throw renderError(`a ${typeOf(value)} cannot be written as JSON`);
  listed('[]', items, (item) => write(item, style, next, out));
}

function simpleText(value: Value): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return repr(value).value.toLowerCase();
  if (typeof value !== 'number') return undefined;
  if (Number.isFinite(value)) return floatText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function keyText(key: Value): Text {
  if (key instanceof Text) return key;
  const simple = simpleText(key);
  if (simple === undefined) throw renderError(`a ${typeOf(key)} cannot be a key in JSON`);
  return new Text(simple);
}

const short: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
};
const special = /["\\\u0000-\u001f]/g;
const specialOrWide = /["\\\u0000-\u001f\u007f-\uffff]/g;

function quote(value: Text, ensureAscii: boolean, out: TextBuilder): void {
  const pattern = ensureAscii ? specialOrWide : special;
  const escaped = (each: string) => {
    if (each === '\x7f') return each;
    return short[each] ?? `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
  };
  out
    .add('"')
    .append(value.map((part) => part.replace(pattern, escaped)))
    .add('"');
}
