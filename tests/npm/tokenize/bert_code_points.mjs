// Code points of which Hugging Face's JavaScript tokenizer makes something else than the Rust one.
import { readFileSync } from 'node:fs';

// The Rust library's result for each code point, in the same terms as kindInJavaScript().
const codePoints = new URL('../../fixtures/tokenizers/bert-base-uncased/code_points.txt', import.meta.url);
const kindsInRust = new Map();
for (const line of readFileSync(codePoints, 'utf8').trimEnd().split('\n')) {
  const [, first, last, kind] = /^(\w+)\.\.(\w+) (\w+)/.exec(line);
  for (let c = parseInt(first, 16); c <= parseInt(last, 16); ++c) kindsInRust.set(c, kind);
}

const isCjk = (c) => (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff);

function kindInJavaScript(c) {
  const character = String.fromCodePoint(c);
  if (/[\t\n\r]/.test(character)) return 'space';
  if (c === 0xfffd || /[\p{Cc}\p{Cf}\p{Co}]/u.test(character)) return 'removed';
  if (/\s/.test(character)) return 'space';
  const rest = character
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
  if (rest === '') return 'removed';
  return isCjk(c) || /^[\p{P}!-/:-@[-`{-~]/u.test(rest) ? 'alone' : 'letter';
}

// Differences between the JavaScript library and the Rust one, with which the models were made:
export const deviates = (c) =>
  // it reads categories from the engine's Unicode, the Rust one from Unicode 8.0;
  (kindsInRust.get(c) ?? 'letter') !== kindInJavaScript(c) ||
  // it sorts a mark of Unicode 14.0, where the Rust one has the order of 9.0;
  c === 0x1715 ||
  // it lower-cases a sigma at the end of a word to U+03C2;
  c === 0x3a3 ||
  // capitals of Unicode 16.0 and 17.0: they are such to the Rust library and not yet to ours, and
  // engines differ.
  c === 0x1c89 ||
  (c >= 0xa7cb && c <= 0xa7dc);
// Nor does it see ideographs beyond U+FFFF, which it reads in halves: the alphabet has none.
