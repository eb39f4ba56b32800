// Formatting with braces: '{} {name}'.format(...).

import type { Builtin } from '../../arguments.js';
import { attribute, item } from '../../attributes.js';
import { isNumber } from '../../compare.js';
import { renderError } from '../../errors.js';
import { nested, spend } from '../../limits.js';
import { repr, str } from '../../printing.js';
import { charactersBetween, countCharacters, join, repeat, type Text, TextBuilder, text } from '../../text.js';
import { Dict, Tuple, type Value } from '../../values.js';
import { checkedWidth, formatFloat, formatInteger } from './number_format.js';

interface Fields {
  args: Tuple;
  kwargs: Dict;
  /** The next field without a name. */
  next: number;
}

export const formatMethods: Record<'format' | 'format_map', Builtin<[Text]>> = {
  format: ['*args **kwargs', (self, args: Tuple, kwargs: Dict) => formatted(self, { args, kwargs, next: 0 })],
  format_map: [
    'mapping',
    (self, mapping: Value) => {
      if (!(mapping instanceof Dict)) throw renderError('format_map needs a dict');
      return formatted(self, { args: new Tuple([]), kwargs: mapping, next: 0 });
    },
  ],
};

function formatted(format: Text, fields: Fields): Text {
  const { value } = format;
  spend(value.length / 16);
  const out = new TextBuilder();
  let at = 0;
  while (at < value.length) {
    const brace = nextBrace(value, at);
    out.append(format.slice(at, brace));
    if (brace >= value.length) break;
    if (value[brace] === value[brace + 1]) {
      out.append(format.slice(brace, brace + 1));
      at = brace + 2;
      continue;
    }
    if (value[brace] === '}') throw renderError("single '}' in a format string");
    const end = closing(value, brace);
    out.append(nested(() => field(format.slice(brace + 1, end), fields)));
    at = end + 1;
  }
  return out.text();
}

function nextBrace(value: string, from: number): number {
  let at = from;
  while (at < value.length && value[at] !== '{' && value[at] !== '}') ++at;
  return at;
}

function closing(value: string, open: number): number {
  let depth = 0;
  for (let at = open; at < value.length; ++at) {
    if (value[at] === '{') ++depth;
    if (value[at] === '}' && --depth === 0) return at;
  }
  throw renderError("a '{' of a format string is not closed");
}

const parts = /^([^!:[]*(?:\[[^\]]*\][^!:[]*)*)(?:!([rsa]))?(?::([^]*))?$/;

function field(inside: Text, fields: Fields): Text {
  const found = parts.exec(inside.value);
  if (!found) throw renderError(`malformed field '{${inside.value}}' in a format string`);
  const [, name = '', conversion, specification = ''] = found;
  let value = fieldValue(name, fields);
  if (conversion) value = conversion === 's' ? str(value) : repr(value);
  const spec = formatted(inside.slice(inside.length - specification.length), fields).value;
  return withSpecification(value, spec);
}

function fieldValue(name: string, fields: Fields): Value {
  const [, first = '', rest = ''] = /^([^.[]*)([^]*)$/.exec(name)!;
  const index = first === '' ? fields.next++ : /^\d+$/.test(first) ? Number(first) : undefined;
  let value = index === undefined ? fields.kwargs.named(first) : fields.args.items[index];
  if (value === undefined) throw renderError(`the format string needs a value ${first || index}`);
  for (const [, dotted, key] of rest.matchAll(/\.([^.[]+)|\[([^\]]+)\]/gy)) {
    value =
      dotted === undefined ? item(value, /^\d+$/.test(key!) ? BigInt(key!) : text(key!)) : attribute(value, dotted);
  }
  return value;
}

const specificationParts = /^(?:([^])?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/u;

function withSpecification(value: Value, specification: string): Text {
  if (!specification) return str(value);
  const found = specificationParts.exec(specification);
  if (!found) throw renderError(`invalid format '${specification}'`);
  const [, fill, align, sign = '', alternative, zero, width = '0', group, precision, code] = found;
  const digits = precision === undefined ? undefined : checkedWidth(Number(precision));
  const isNumeric = isNumber(value) && code !== 's';
  let written: Text;
  if (isNumeric) written = text(numberText(value, code, digits, sign, alternative !== undefined, group));
  else if (code === undefined || code === 's')
    written = digits === undefined ? str(value) : charactersBetween(str(value), 0, digits);
  else throw renderError(`unknown format code '${code}' for this value`);
  const missing = checkedWidth(Number(width)) - countCharacters(written.value);
  if (missing <= 0) return written;
  const filler = (count: number) => repeat(text(fill ?? (zero ? '0' : ' ')), count);
  switch (align ?? (isNumeric ? (zero ? '=' : '>') : '<')) {
    case '<':
      return join([written, filler(missing)]);
    case '^':
      return join([filler(Math.floor(missing / 2)), written, filler(Math.ceil(missing / 2))]);
    case '=': {
      const head = /^[-+ ]?(?:0[xXob])?/.exec(written.value)![0].length;
      return join([written.slice(0, head), filler(missing), written.slice(head)]);
    }
    default:
      return join([filler(missing), written]);
  }
}

function numberText(
  value: boolean | bigint | number,
  code: string | undefined,
  precision: number | undefined,
  sign: string,
  alternative: boolean,
  group: string | undefined,
): string {
  const number = typeof value === 'boolean' && code !== undefined ? BigInt(value) : value;
  let written: string;
  if (code === 'c') written = String.fromCodePoint(Number(number));
  else if (typeof number === 'bigint' && !/^[eEfFgG%]$/.test(code ?? ''))
    written = formatInteger(number, code ?? 'd', alternative);
  else if (code === undefined && (precision === undefined || typeof number === 'boolean')) written = str(number).value;
  else written = formatFloat(Number(number), code ?? 'g', precision, alternative);
  if (group) {
    const size = /[xXbo]/.test(code ?? '') ? 4 : 3;
    const [, head, whole, rest] = /^(-?)([\da-fA-F]+)([^]*)$/.exec(written)!;
    const first = whole!.length % size || size;
    written =
      head! + whole!.slice(0, first) + whole!.slice(first).replace(new RegExp(`.{${size}}`, 'g'), `${group}$&`) + rest!;
  }
  return sign && sign !== '-' && !written.startsWith('-') ? sign + written : written;
}
