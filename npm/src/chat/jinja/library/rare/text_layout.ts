// Strings in columns and lines.

import { checkLength } from '../../limits.js';
import { characters, charactersBetween, concat, countCharacters, join, repeat, strip, type Text } from '../../text.js';
import { splitLines } from '../text_splits.js';

/** `side`: where the string stays. */
export function pad(self: Text, width: number, side: 'left' | 'right' | 'both', filler: Text): Text {
  const length = countCharacters(self.value);
  const missing = width - length;
  if (missing <= 0) return self;
  checkLength(missing);
  if (side === 'left') return concat(self, repeat(filler, missing));
  if (side === 'right') return concat(repeat(filler, missing), self);
  // Matches CPython if the rest is odd.
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return concat(repeat(filler, left), self, repeat(filler, missing - left));
}

/** Words on lines of at most `width` characters, paragraph by paragraph. */
export function wrapped(self: Text, width: number, breaksWords: boolean, newline: Text, breaksHyphens: boolean): Text {
  return join(
    splitLines(self, false).map((line) => join(wrappedLine(line, width, breaksWords, breaksHyphens), newline)),
    newline,
  );
}

const chunk = /\s+|(?<=\w)--+(?=\w)|[^\s-]*[^\s\d-]-(?=[^\s\d-])|[^\s]+?(?=\s|$|(?<!-)--+(?=\w))|-+/gu;

/** Like textwrap of Python, without expanding or dropping white space in lines. */
function wrappedLine(line: Text, width: number, breaksWords: boolean, breaksHyphens: boolean): Text[] {
  const pattern = breaksHyphens ? chunk : /\s+|\S+/gu;
  const chunks = Array.from(line.value.matchAll(pattern), ({ index, 0: { length } }) =>
    line.slice(index, index + length),
  );
  const lines: Text[] = [];
  let current: Text[] = [];
  let used = 0;
  const finish = () => {
    const finished = strip(join(current), undefined, 1);
    if (finished.length > 0) lines.push(finished);
    current = [];
    used = 0;
  };
  for (let each of chunks) {
    let size = countCharacters(each.value);
    if (used + size > width && used > 0) finish();
    if (used === 0 && lines.length > 0 && /^\s/.test(each.value)) continue;
    if (breaksWords && size > width) {
      const all = characters(each);
      let at = 0;
      for (; size > width; size -= width) {
        current.push(join(all.slice(at, (at += width))));
        finish();
      }
      each = join(all.slice(at));
    }
    if (size === 0) continue;
    current.push(each);
    used += size;
  }
  finish();
  return lines;
}

/** Cut to `length` characters, at a word unless `cutsWords`, with `end` after it. */
export function truncated(self: Text, length: number, cutsWords: boolean, end: Text, leeway: number): Text {
  if (countCharacters(self.value) <= length + leeway) return self;
  const cut = charactersBetween(self, 0, Math.max(0, length - countCharacters(end.value)));
  if (cutsWords) return concat(cut, end);
  const space = cut.value.lastIndexOf(' ');
  return concat(space < 0 ? cut : cut.slice(0, space), end);
}
