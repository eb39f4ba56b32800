// The filters for strings. Other values are converted to strings first, where Jinja2 does so.

import type { Builtin } from '../arguments.js';
import { isTrue, iterable } from '../compare.js';
import { toJson } from '../json.js';
import { spend } from '../limits.js';
import { integerArgument } from '../operators.js';
import { repr, requireText, str } from '../printing.js';
import { characters, concat, emptyText, join, repeat, strip, Text, text } from '../text.js';
import type { Value } from '../values.js';
import { isGiven } from './list_filters.js';
import { capitalized } from './text_cases.js';
import { perPart, replaced, splitLines } from './text_splits.js';

type Filter = Builtin<[Value]>;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
export const escaped = (value: Value) => str(value).map((part) => part.replace(/[&<>"']/g, (each) => entities[each]!));

/** Every word with a capital letter; words begin at white space, hyphens and opening brackets. */
function titled(value: Value): Text {
  const whole = str(value);
  const words = Array.from(whole.value.matchAll(/[-\s({[<]+|[^-\s({[<]+/gu), ({ index, 0: { length } }) => {
    spend(perPart);
    return whole.slice(index, index + length);
  });
  return join(
    words.map((word) => {
      const [first] = characters(word);
      return concat(
        first!.map((part) => part.toUpperCase()),
        word.slice(first!.length).map((part) => part.toLowerCase()),
      );
    }),
  );
}

function json(
  value: Value,
  ensureAscii: Value = false,
  indent: Value = null,
  separators: Value = null,
  sortKeys: Value = false,
): Text {
  const width =
    indent === null
      ? undefined
      : indent instanceof Text
        ? indent.value
        : repeat(text(' '), integerArgument(indent, 'indent', 0)).value;
  const given = separators === null ? undefined : iterable(separators);
  const [item = text(width === undefined ? ', ' : ','), key = text(': ')] = given ?? [];
  return toJson(value, {
    ensureAscii: isTrue(ensureAscii),
    indent: width,
    separators: [requireText(item, 'a separator').value, requireText(key, 'a separator').value],
    sortKeys: isTrue(sortKeys),
  });
}

/** Indents all lines but the first with `margin`. Blank lines stay unchanged, unless `blank`. */
function indented(self: Text, margin: Text, first: boolean, blank: boolean): Text {
  const source = concat(self, text('\n'));
  const newline = text('\n');
  const lines = splitLines(source, false);
  const rest = lines.slice(1).map((line) => (line.length > 0 || blank ? concat(margin, line) : line));
  const body = join([lines[0] ?? emptyText, ...rest], newline);
  return first ? concat(margin, body) : body;
}

export const textFilters: Record<string, Filter> = {
  string: ['', str],
  upper: ['', (value) => str(value).map((part) => part.toUpperCase())],
  lower: ['', (value) => str(value).map((part) => part.toLowerCase())],
  capitalize: ['', (value) => capitalized(str(value))],
  title: ['', titled],
  trim: [
    'chars?',
    (value, chars?: Value) =>
      strip(str(value), isGiven(chars) || chars instanceof Text ? requireText(chars!, 'chars').value : undefined),
  ],
  replace: [
    'old new count?',
    (value, old: Value, replacement: Value, count?: Value) => {
      const most = count === null ? -1 : integerArgument(count, 'count', -1);
      return replaced(str(value), str(old).value, str(replacement), most < 0 ? Infinity : most);
    },
  ],
  indent: [
    'width? first? blank?',
    (value, width?: Value, first?: Value, blank?: Value) => {
      const margin = width instanceof Text ? width : repeat(text(' '), integerArgument(width, 'width', 4));
      return indented(requireText(value, 'what is indented'), margin, isGiven(first), isGiven(blank));
    },
  ],
  tojson: ['ensure_ascii? indent? separators? sort_keys?', json],
  escape: ['', escaped],
  e: ['', escaped],
  forceescape: ['', escaped],
  safe: ['', str],
  pprint: ['', repr],
};
