// Grammars that constrain texts, from JSON schemas and in GBNF, and the vocabulary of the texts.
import { uniform } from '../models/files/random.mjs';

/** An object that has all of these properties, and no others. */
const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const text = (limits) => ({ type: 'string', ...limits });

const KINDS_OF_PROPERTIES = [
  () => text(),
  (i) => ({ type: 'integer', minimum: 0, maximum: 1000 + i }),
  (i) => ({ enum: ['red', 'green', `blue ${i}`] }),
  () => ({ type: 'array', items: { type: 'number' } }),
  (i) => text({ maxLength: 30 + i }),
];
const property = (i) => [`property${i}`, KINDS_OF_PROPERTIES[i % KINDS_OF_PROPERTIES.length](i)];

export const FORMS = {
  'maxLength, minLength': object({
    name: text({ maxLength: 20 }),
    title: text({ minLength: 5, maxLength: 40 }),
    abstract: text({ maxLength: 400 }),
  }),
  pattern: object({
    name: text({ pattern: '^[A-Z][a-z]+( [a-z]+){1,4}$' }),
    word: text({ pattern: '^\\w{3,30}$' }),
    line: text({ pattern: '^.{1,80}$' }),
    words: text({ pattern: '^\\S+( \\S+)*$' }),
    link: text({ pattern: '^https?://.+$' }),
    found: text({ pattern: 'needle' }),
  }),
  enum: object({
    color: { enum: ['red', 'green', 'blue'] },
    size: { enum: [1, 2, 'large'] },
    sure: { type: 'boolean' },
  }),
  nested: object({
    pages: {
      type: 'array',
      items: object({
        title: text(),
        notes: { type: 'array', items: object({ note: text(), weight: { type: 'number' } }) },
      }),
    },
  }),
  'any object': { type: 'object' },
  formats: object({
    email: text({ format: 'email' }),
    since: text({ format: 'date-time' }),
    day: text({ format: 'date' }),
    id: text({ format: 'uuid' }),
    copies: { type: 'array', items: text({ format: 'email' }) },
  }),
  'other properties': { ...object({ id: { type: 'integer' } }), additionalProperties: text({ maxLength: 100 }) },
  '50 properties': object(Object.fromEntries(Array.from({ length: 50 }, (_, i) => property(i)))),
  GBNF: `root ::= "Answer: " line ("\\n- " line){0,5}
line ::= [^\\n]+
`,
};

// A vocabulary as large as that of Qwen.
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

/**
 * Made from a seed like one of byte pairs: all bytes, words in several scripts with and without a space before them,
 * numbers, and runs of punctuation. Gives { tokens, stop, random }: bytes by id, the id of the token that ends a text,
 * and the random numbers that follow.
 */
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
