// A vocabulary as large as that of Qwen, made from a seed like one of byte pairs: all bytes, words in several scripts
// with and without a space before them, numbers, and runs of punctuation.
import { uniform } from '../models/files/random.mjs';

const SIZE = 151_936;
/** The last ones have no bytes, as control tokens. */
const CONTROL_TOKENS = 3;

// The frequent letters first.
const LATIN = [...'etaoinshrdlucmfwypvbgkjqxz'];
const PUNCTUATION = [
  '"',
  '":',
  '",',
  '"}',
  '{"',
  '":"',
  '","',
  '\\',
  '\\"',
  '\\n',
  ' "',
  ': ',
  ', ',
  '[',
  ']',
  '}',
  '{',
  '}}',
  ']]',
  '();',
  '.',
  '...',
  '--',
  '==',
  '/*',
  '*/',
  '//',
  '\n',
  '\n\n',
  '\t',
  '\t\t',
  '  ',
  '    ',
  "'",
  '<',
  '>',
  '</',
  '$',
  '%',
  '&',
  '@',
  '#',
  '!',
  '?',
  '+',
  '=',
  '_',
  '|',
  '~',
  '`',
  '^',
  ';',
  ':',
  '("',
  '")',
  '"]',
  '["',
  "('",
  '."',
  ',"',
  '!"',
  '?"',
  '":[',
  '":{"',
  '"},{"',
  '\u201c',
  '\u201d',
  '\u2014',
  '\u3002',
  '\uff0c',
];

/** { tokens, stop, random }: bytes by id, the id of the token that ends a text, and the random numbers that follow. */
export function seededVocabulary(seed) {
  const random = uniform(seed);
  const below = (n) => Math.floor(random() * n);
  const any = (list) => list[below(list.length)];
  const repeated = (least, most, part) => Array.from({ length: least + below(most - least + 1) }, part).join('');
  const latin = () => LATIN[Math.min(below(26), below(26))];
  const other = (first) => () => String.fromCodePoint(first + below(26));
  const character = () => String.fromCodePoint(0x4e00 + below(8000));
  const spaced = (word) => (below(2) ? ` ${word}` : word);
  const kinds = [
    [14, () => spaced(latin().toUpperCase() + repeated(1, 8, latin))],
    [48, () => spaced(repeated(2, 9, latin))],
    [20, () => repeated(1, 4, character)],
    [10, () => spaced(repeated(2, 8, other(below(2) ? 0x430 : 0x5d0)))],
    [4, () => String(below(1000)) + (below(3) ? '' : latin())],
    [4, () => (below(4) ? '' : latin()) + repeated(1, 3, () => any(PUNCTUATION)) + (below(2) ? latin() : '')],
  ];
  const hundred = kinds.flatMap(([share, make]) => Array(share).fill(make));

  const texts = new Set(PUNCTUATION.filter((mark) => Buffer.byteLength(mark) > 1));
  while (texts.size < SIZE - 256 - CONTROL_TOKENS) {
    const made = any(hundred)();
    if (Buffer.byteLength(made) > 1) texts.add(made);
  }
  const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const control = Array.from({ length: CONTROL_TOKENS }, () => new Uint8Array(0));
  const tokens = [...bytes, ...Array.from(texts, (each) => new TextEncoder().encode(each)), ...control];
  return { tokens, stop: SIZE - 1, random };
}
