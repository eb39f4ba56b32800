// Random texts for comparisons of tokenizers.
import fc from 'fast-check';

// Blocks in which no character is younger than Unicode 15.0: engines differ in their support of later ones. Left out
// are U+2581, which is SentencePiece's space, and of white space U+FEFF, which is that to JavaScript alone, and U+0085,
// which is to all others.
const alphabets = [
  [0x21, 0x84],
  [0x86, 0x36f],
  [0x370, 0x52f],
  [0x531, 0x6ff],
  [0x900, 0xbff],
  [0xe00, 0xfff],
  [0x1e00, 0x1fff],
];
const cjk = [
  [0x3000, 0x312f],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
  [0x20000, 0x2a6df],
];
const signs = [
  [0x2000, 0x206f],
  [0x2070, 0x209f],
  [0x2100, 0x2426],
  [0x2440, 0x2580],
  [0x2582, 0x2b8f],
  [0xfe00, 0xfefe],
  [0x1d400, 0x1d7ff],
];
const emoji = [
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0xe0020, 0xe007f],
  [0xe0100, 0xe01ef],
];
const controls = [
  [0x0, 0x1f],
  [0x7f, 0x84],
  [0x86, 0xa0],
];

const from = (...ranges) =>
  fc.oneof(...ranges.map(([min, max]) => fc.integer({ min, max }))).map((c) => String.fromCodePoint(c));
const some = (arbitrary, maxLength) => fc.array(arbitrary, { minLength: 1, maxLength }).map((parts) => parts.join(''));

const words = 'the of Hello world tokenization don dog I you we they int return café naïve Straße ΣΊΣΥΦΟΣ'.split(' ');
const endings = [
  "'s",
  "'t",
  "'re",
  "'ve",
  "'m",
  "'ll",
  "'d",
  "'S",
  "'T",
  "'RE",
  "'Ve",
  "'M",
  "'lL",
  "'D",
  "'",
  "''s",
  "'ſ",
];
const spaces = [
  ' ',
  '  ',
  '   ',
  '        ',
  '\t',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\v',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\u2003',
];
const numbers = ['0', '7', '42', '1234', '3.14', '1000000', '½', '²', '٣', '五', 'Ⅷ', '१२३', '①', '𝟘'];
const pictures = ['😀', '🚀', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', '❤️', '✅', '1️⃣'];
const punctuation = [
  '.',
  ',',
  '!',
  '?',
  '...',
  '!!!',
  '--',
  '(',
  ')',
  '{}',
  '=>',
  '//',
  '"',
  '—',
  '。',
  '“',
  '$',
  '€',
  '__',
];

const word = fc.constantFrom(...words);
const part = fc.oneof(
  word,
  fc.tuple(word, fc.constantFrom(...endings)).map(([first, second]) => first + second),
  fc.constantFrom(...endings, ...punctuation, ...pictures),
  some(fc.constantFrom(...spaces), 4),
  fc.constant(' '),
  some(fc.constantFrom(...numbers), 3),
  some(fc.integer({ min: 0, max: 9 }).map(String), 9),
  fc.tuple(word, some(from([0x300, 0x36f]), 3)).map(([letters, marks]) => letters + marks),
  some(from(...alphabets), 6),
  some(from(...cjk), 6),
  some(from(...signs), 3),
  some(from(...emoji), 3),
  from(...controls),
);
/** Words of many languages with all that tokenizers treat in their own way. */
export const randomText = fc.array(part, { maxLength: 16 }).map((parts) => parts.join(''));
