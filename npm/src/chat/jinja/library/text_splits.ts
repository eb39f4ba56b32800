// Strings in parts, and with parts replaced.

import { checkItems, spend } from '../limits.js';
import { characters, join, spendOnSearch, strip, type Text, TextBuilder, whiteSpace } from '../text.js';

/** The cost of making a part, in steps. */
export const perPart = 4;

/** Splits at a separator, at most `limit` times. */
export function split(self: Text, separator: string, limit: number, fromRight: boolean): Text[] {
  const parts: Text[] = [];
  const { value } = self;
  spendOnSearch(value, separator);
  if (fromRight) {
    let end = value.length;
    while (parts.length < limit) {
      const at = end < separator.length ? -1 : value.lastIndexOf(separator, end - separator.length);
      if (at < 0) break;
      spend(perPart);
      parts.push(self.slice(at + separator.length, end));
      end = at;
    }
    return [self.slice(0, end), ...parts.reverse()];
  }
  let begin = 0;
  while (parts.length < limit) {
    const at = value.indexOf(separator, begin);
    if (at < 0) break;
    spend(perPart);
    parts.push(self.slice(begin, at));
    begin = at + separator.length;
  }
  checkItems(parts.length);
  return [...parts, self.slice(begin)];
}

const spaces = new RegExp(`[${whiteSpace}]+`, 'g');

/** Splits at white space, without empty parts. */
export function splitAtSpace(self: Text, limit: number, fromRight: boolean): Text[] {
  const inside = strip(self);
  if (inside.length === 0) return [];
  const gaps = Array.from(inside.value.matchAll(spaces), (found) => {
    spend(perPart);
    return [found.index, found.index + found[0].length] as const;
  });
  checkItems(gaps.length);
  const chosen = gaps.length <= limit ? gaps : fromRight ? gaps.slice(gaps.length - limit) : gaps.slice(0, limit);
  let begin = 0;
  const parts = chosen.map(([at, end]) => {
    const part = inside.slice(begin, at);
    begin = end;
    return part;
  });
  parts.push(inside.slice(begin));
  if (gaps.length < limit) return parts;
  // When no more splits are allowed, the rest keeps its white space on the outer side.
  if (fromRight) parts[0] = strip(keptLeft(self, parts[0]!), undefined, 1);
  else parts[parts.length - 1] = keptRight(self, parts.at(-1)!);
  return parts;
}

const keptLeft = (self: Text, part: Text): Text =>
  self.slice(0, self.length - strip(self, undefined, -1).length + part.length);
const keptRight = (self: Text, part: Text): Text => self.slice(strip(self, undefined, 1).length - part.length);

const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

export function splitLines(self: Text, keepsEnds: boolean): Text[] {
  const lines: Text[] = [];
  let begin = 0;
  for (const found of self.value.matchAll(lineEnd)) {
    spend(perPart);
    const end = found.index + found[0].length;
    lines.push(self.slice(begin, keepsEnds ? end : found.index));
    begin = end;
  }
  if (begin < self.length) lines.push(self.slice(begin));
  checkItems(lines.length);
  return lines;
}

export function replaced(self: Text, old: string, replacement: Text, limit: number): Text {
  if (old === '') return replacedBetween(self, replacement, limit);
  const parts = split(self, old, limit, false);
  return parts.length === 1 ? self : join(parts, replacement);
}

/** Python replaces the empty string before each character and at the end. */
function replacedBetween(self: Text, replacement: Text, limit: number): Text {
  const builder = new TextBuilder();
  let left = limit;
  for (const each of characters(self)) {
    if (left-- > 0) builder.append(replacement);
    builder.append(each);
  }
  if (left > 0) builder.append(replacement);
  return builder.text();
}
