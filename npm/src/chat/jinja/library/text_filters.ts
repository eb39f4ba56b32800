// The filters for strings. What is no string is printed first, where Jinja2 does so.

import type { Builtin } from '../arguments.js';
import { isNumber, isTrue, iterable, lengthOf } from '../compare.js';
import { renderError } from '../errors.js';
import { toJson } from '../json.js';
import { spend } from '../limits.js';
import { integerArgument } from '../operators.js';
import { repr, requireText, str } from '../printing.js';
import { characters, concat, emptyText, join, repeat, strip, Text, text } from '../text.js';
import { Dict, Tuple, Undefined, type Value } from '../values.js';
import { pairs } from './methods.js';
import { percentFormat } from './percent_format.js';
import { capitalized } from './text_cases.js';
import { indented, pad, truncated, wrapped } from './text_layout.js';
import { perPart, replaced, splitAtSpace } from './text_splits.js';

type Filter = Builtin<[Value]>;

const isGiven = (value: Value | undefined) => value !== undefined && isTrue(value);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
const escaped = (value: Value) => str(value).map((part) => part.replace(/[&<>"']/g, (each) => entities[each]!));

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\xa0' };

const unescaped = (value: string) =>
  value.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? 'ffffff', 16);
    return name ? (named[name] ?? whole) : code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Every word with a capital letter; words begin at white space, hyphens and opening brackets. */
function titled(value: Value): Text {
  const whole = str(value);
  const words = Array.from(whole.value.matchAll(/[-\s({[<]+|[^-\s({[<]+/gu), ({ index, 0: { length } }) => {
    spend(perPart);
    return whole.slice(index, index + length);
  });
  return join(words.map((word) => {
    const [first] = characters(word);
    return concat(first!.map((part) => part.toUpperCase()), word.slice(first!.length).map((part) => part.toLowerCase()));
  }));
}

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
  return join(items.map((pair) => {
    const [key, each, ...more] = iterable(pair) ?? [];
    if (key === undefined || each === undefined || more.length > 0) throw renderError('urlencode needs pairs of a key and a value');
    return concat(query(key), text('='), query(each));
  }), text('&'));
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

function json(value: Value, ensureAscii: Value = false, indent: Value = null, separators: Value = null, sortKeys: Value = false): Text {
  const width = indent === null ? undefined : indent instanceof Text ? indent.value : repeat(text(' '), integerArgument(indent, 'indent', 0)).value;
  const given = separators === null ? undefined : iterable(separators);
  const [item = text(width === undefined ? ', ' : ','), key = text(': ')] = given ?? [];
  return toJson(value, {
    ensureAscii: isTrue(ensureAscii),
    indent: width,
    separators: [requireText(item, 'a separator').value, requireText(key, 'a separator').value],
    sortKeys: isTrue(sortKeys),
  });
}

export const textFilters: Record<string, Filter> = {
  string: ['', str],
  upper: ['', (value) => str(value).map((part) => part.toUpperCase())],
  lower: ['', (value) => str(value).map((part) => part.toLowerCase())],
  capitalize: ['', (value) => capitalized(str(value))],
  title: ['', titled],
  trim: ['chars?', (value, chars?: Value) => strip(str(value), isGiven(chars) || chars instanceof Text ? requireText(chars!, 'chars').value : undefined)],
  center: ['width?', (value, width?: Value) => pad(str(value), integerArgument(width, 'width', 80), 'both', text(' '))],
  replace: ['old new count?', (value, old: Value, replacement: Value, count?: Value) => {
    const most = count === null ? -1 : integerArgument(count, 'count', -1);
    return replaced(str(value), str(old).value, str(replacement), most < 0 ? Infinity : most);
  }],
  indent: ['width? first? blank?', (value, width?: Value, first?: Value, blank?: Value) => {
    const margin = width instanceof Text ? width : repeat(text(' '), integerArgument(width, 'width', 4));
    return indented(requireText(value, 'what is indented'), margin, isGiven(first), isGiven(blank));
  }],
  truncate: ['length? killwords? end? leeway?', (value, length?: Value, killwords?: Value, end?: Value, leeway?: Value) => {
    if (value instanceof Undefined) return emptyText;
    const ending = end === undefined ? text('...') : requireText(end, 'end');
    const slack = leeway === null ? 5 : integerArgument(leeway, 'leeway', 5);
    const most = integerArgument(length, 'length', 255);
    if (lengthOf(value) <= most + slack) return value;
    return truncated(requireText(value, 'what is truncated'), most, isGiven(killwords), ending, slack);
  }],
  wordwrap: ['width? break_long_words? wrapstring? break_on_hyphens?', (value, width?: Value, breaks?: Value, wrapstring?: Value, hyphens?: Value) => {
    const newline = wrapstring === undefined || wrapstring === null ? text('\n') : requireText(wrapstring, 'wrapstring');
    const columns = integerArgument(width, 'width', 79);
    if (columns <= 0) throw renderError('wordwrap: the width must be above 0');
    return wrapped(requireText(value, 'what is wrapped'), columns, breaks === undefined || isTrue(breaks), newline, hyphens === undefined || isTrue(hyphens));
  }],
  wordcount: ['', (value) => {
    const { value: all } = str(value);
    spend(all.length / 4);
    return BigInt(all.match(/[\p{L}\p{N}\p{M}_]+/gu)?.length ?? 0);
  }],
  format: ['*args **kwargs', (value, args: Tuple, kwargs: Dict) => {
    if (args.items.length > 0 && kwargs.size > 0) throw renderError('format takes values either in order or by name');
    return percentFormat(str(value), kwargs.size > 0 ? kwargs : args);
  }],
  tojson: ['ensure_ascii? indent? separators? sort_keys?', json],
  escape: ['', escaped],
  e: ['', escaped],
  forceescape: ['', escaped],
  safe: ['', str],
  striptags: ['', (value) => {
    const bare = without(without(str(value), '<!--', '-->'), '<', '>');
    return join(splitAtSpace(bare, Infinity, false), text(' ')).map(unescaped);
  }],
  urlencode: ['', urlencode],
  xmlattr: ['autospace?', (value, autospace?: Value) => xmlAttributes(value, autospace === undefined || isTrue(autospace))],
  pprint: ['', repr],
};

/** Without all that is between these two, and them. */
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
