// Tokenizing random Unicode text gives what Hugging Face's JavaScript tokenizer gives. The
// vocabulary holds every character that normalization can leave, so that each shows in the ids.

import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { Embedder } from 'quintet';
import { deviates } from './bert_code_points.mjs';
import { tinyEmbedder } from './tiny_embedder.mjs';

const SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const PIECES = ['th', 'the', '##th', '##he', '##ing', 'ing'];

const BLOCKS = [
  [0x0000, 0x33ff], // alphabets, marks, punctuation, symbols
  [0x4e00, 0x4e7f], // some ideographs
  [0xa640, 0xabff], // more alphabets
  [0xac00, 0xac7f], // some Hangul syllables
  [0xf900, 0xffff], // compatibility characters
  [0x10400, 0x1044f], // letters with case beyond U+FFFF
  [0x1d100, 0x1d1ff], // marks that decompose beyond U+FFFF
  [0x1f300, 0x1f64f], // emoji
  [0xe0100, 0xe010f], // variation selectors
];
const alphabet = BLOCKS.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
  .filter((c) => !deviates(c))
  .map((c) => String.fromCodePoint(c));
const marks = alphabet.filter((c) => /\p{M}/u.test(c));

const characters = new Set(alphabet.flatMap((c) => [...c.toLowerCase().normalize('NFD')]));
const visible = [...characters].filter((c) => !/[\s\p{C}]/u.test(c));
const vocabulary = [...new Set([...SPECIALS, ...PIECES, ...visible, ...visible.map((c) => `##${c}`)])];

const reference = new Tokenizer(
  {
    version: '1.0',
    added_tokens: SPECIALS.map((content, id) => ({
      id,
      content,
      special: true,
      normalized: false,
      lstrip: false,
      rstrip: false,
      single_word: false,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  },
  {},
);

const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...alphabet) },
  { weight: 2, arbitrary: fc.constantFrom(...marks) },
  { weight: 3, arbitrary: fc.constantFrom(...'the ing THE \n\t.,-[]') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...SPECIALS, 'thing', '\ud800', '\udc00', '\0', '\ufffd'),
  },
);
const anyText = fc.array(character, { maxLength: 60 }).map((parts) => parts.join(''));
const longWords = fc
  .tuple(fc.constantFrom('t', '\u00e9', '\u4e00', '\u{10400}'), fc.integer({ min: 95, max: 105 }))
  .map(([c, count]) => c.repeat(count));

describe('WordPiece', () => {
  let embedder;
  beforeAll(async () => {
    embedder = await Embedder.load(tinyEmbedder(vocabulary));
  });
  afterAll(() => embedder?.close());

  const tokensOf = async (text) => [...(await embedder.tokenize(text))].map((id) => vocabulary[id]);
  const expectedTokens = (text) => ['[CLS]', ...reference.encode(text).ids.map((id) => vocabulary[id]), '[SEP]'];

  test('agrees with @huggingface/tokenizers on random text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: anyText }, longWords), async (text) => {
        expect(await tokensOf(text)).toEqual(expectedTokens(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('agrees with it on every character of the alphabet', async () => {
    const text = alphabet.join(' a');
    expect(await tokensOf(text)).toEqual(expectedTokens(text));
  });
});
