// The rare filters for strings.

import type { Builtin } from '../../arguments.js';
import { isNumber, isTrue, iterable, lengthOf } from '../../compare.js';
import { renderError } from '../../errors.js';
import { spend } from '../../limits.js';
import { integerArgument } from '../../operators.js';
import { requireText, str } from '../../printing.js';
import { concat, emptyText, join, Text, text } from '../../text.js';
import { Dict, type Tuple, Undefined, type Value } from '../../values.js';
import { isGiven } from '../list_filters.js';
import { pairs } from '../methods.js';
import { escaped } from '../text_filters.js';
import { perPart, splitAtSpace } from '../text_splits.js';
import { percentFormat } from './percent_format.js';
import { pad, truncated, wrapped } from './text_layout.js';

type RareTextFilter =
  | 'center'
  | 'format'
  | 'striptags'
  | 'truncate'
  | 'urlencode'
  | 'wordcount'
  | 'wordwrap'
  | 'xmlattr';

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\xa0' };

const unescaped = (value: string) =>
  value.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? 'ffffff', 16);
    return name ? (named[name] ?? whole) : code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

function encoded(value: string, keepsSlash: boolean): string {
  const percent = encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(value)));
  const strict = percent.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  return keepsSlash ? strict.replaceAll('%2F', '/') : strict;
}

function urlencode(value: Value): Text {
  if (value instanceof Text) return value.map((part) => encoded(part, true));
  const items = value instanceof Dict ? pairs(value) : iterable(value);
  if (!items || isNumber(value)) return str(value).map((part) => encoded(part, true));
  const query = (each: Value) => str(each).map((part) => encoded(part, false).replaceAll('%20', '+'));
  return join(
    items.map((pair) => {
      const [key, each, ...more] = iterable(pair) ?? [];
      if (key === undefined || each === undefined || more.length > 0)
        throw renderError('urlencode needs pairs of a key and a value');
      return concat(query(key), text('='), query(each));
    }),
    text('&'),
  );
}

function xmlAttributes(value: Value, autospace = true): Text {
  if (!(value instanceof Dict)) throw renderError('xmlattr needs a dict');
  const given = value.entries().filter(([, each]) => each !== null && !(each instanceof Undefined));
  const written = given.map(([key, each]) => {
    if (/[\s/>=]/.test(str(key).value)) throw renderError(`xmlattr: invalid name '${str(key).value}'`);
    return concat(escaped(key), text('="'), escaped(each), text('"'));
  });
  const all = join(written, text(' '));
  return autospace && all.length > 0 ? concat(text(' '), all) : all;
}

export const textFilters: Record<RareTextFilter, Builtin<[Value]>> = {
  center: ['width?', (value, width?: Value) => pad(str(value), integerArgument(width, 'width', 80), 'both', text(' '))],
  truncate: [
    'length? killwords? end? leeway?',
    (value, length?: Value, killwords?: Value, end?: Value, leeway?: Value) => {
      if (value instanceof Undefined) return emptyText;
      const ending = end === undefined ? text('...') : requireText(end, 'end');
      const slack = leeway === null ? 5 : integerArgument(leeway, 'leeway', 5);
      const most = integerArgument(length, 'length', 255);
      if (lengthOf(value) <= most + slack) return value;
      return truncated(requireText(value, 'what is truncated'), most, isGiven(killwords), ending, slack);
    },
  ],
  wordwrap: [
    'width? break_long_words? wrapstring? break_on_hyphens?',
    (value, width?: Value, breaks?: Value, wrapstring?: Value, hyphens?: Value) => {
      const newline =
        wrapstring === undefined || wrapstring === null ? text('\n') : requireText(wrapstring, 'wrapstring');
      const columns = integerArgument(width, 'width', 79);
      if (columns <= 0) throw renderError('wordwrap: the width must be above 0');
      return wrapped(
        requireText(value, 'what is wrapped'),
        columns,
        breaks === undefined || isTrue(breaks),
        newline,
        hyphens === undefined || isTrue(hyphens),
      );
    },
  ],
  wordcount: [
    '',
    (value) => {
      const { value: all } = str(value);
      spend(all.length / 4);
      return BigInt(all.match(/[\p{L}\p{N}\p{M}_]+/gu)?.length ?? 0);
    },
  ],
  format: [
    '*args **kwargs',
    (value, args: Tuple, kwargs: Dict) => {
      if (args.items.length > 0 && kwargs.size > 0) throw renderError('format takes values either in order or by name');
      return percentFormat(str(value), kwargs.size > 0 ? kwargs : args);
    },
  ],
  striptags: [
    '',
    (value) => {
      const bare = without(without(str(value), '<!--', '-->'), '<', '>');
      return join(splitAtSpace(bare, Infinity, false), text(' ')).map(unescaped);
    },
  ],
  urlencode: ['', urlencode],
  xmlattr: [
    'autospace?',
    (value, autospace?: Value) => xmlAttributes(value, autospace === undefined || isTrue(autospace)),
  ],
};

/** Removes everything from one mark to the other, both included. */
function without(whole: Text, begin: string, end: string): Text {
  const { value } = whole;
  const kept: Text[] = [];
  let at = 0;
  for (;;) {
    const from = value.indexOf(begin, at);
    const to = from < 0 ? from : value.indexOf(end, from);
    if (to < 0) return join([...kept, whole.slice(at)]);
    spend(perPart);
    kept.push(whole.slice(at, from));
    at = to + end.length;
  }
}
