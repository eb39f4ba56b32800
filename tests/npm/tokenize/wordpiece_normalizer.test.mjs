// WordPiece with every combination of BertNormalizer's options gives what Hugging Face's JavaScript tokenizer gives:
// for letters with case and accents, ideographs and punctuation. The vocabulary has every form that they can take.

import { Tokenizer } from '@huggingface/tokenizers';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Embedder } from 'quintet';
import { tinyFolder } from './tiny_embedder.mjs';

const SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
// Leaves out what the JavaScript library does differently (wordpiece_property.test.mjs): a final sigma, and the soft
// hyphen, whose category changed.
const alphabet = [
  ...range(0x21, 0x7e),
  ...range(0xa1, 0x17f),
  ...range(0x386, 0x3ce),
  ...range(0x400, 0x45f),
  ...range(0x4e00, 0x4e1f),
  ...range(0x300, 0x308),
].filter((c) => !['\u03a3', '\u03c2', '\u00ad'].includes(c) && /[\p{L}\p{Mn}\p{P}\p{N}]/u.test(c));
const forms = new Set(
  alphabet.flatMap((c) => [c, ...c.toLowerCase(), ...c.normalize('NFD'), ...c.toLowerCase().normalize('NFD')]),
);
const vocabulary = [...SPECIALS, ...forms, ...[...forms].map((c) => `##${c}`)];

const tokenizerWith = (options) => ({
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
  normalizer: { type: 'BertNormalizer', ...options },
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
});

const combinations = [true, false].flatMap((lowercase) =>
  [true, false, null].flatMap((strip_accents) =>
    [true, false].flatMap((handle_chinese_chars) =>
      [true, false].map((clean_text) => ({ clean_text, handle_chinese_chars, strip_accents, lowercase })),
    ),
  ),
);
const texts = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...alphabet) }, fc.constantFrom(' ', '\t', '  ')),
  { maxLength: 40 },
);

const loaded = [];
afterAll(() => loaded.forEach((embedder) => embedder.close()));

describe('WordPiece', () => {
  test.each(combinations)('%j', async (options) => {
    const tokenizer = tokenizerWith(options);
    const embedder = await Embedder.load(tinyFolder(tokenizer, vocabulary.length));
    loaded.push(embedder);
    const reference = new Tokenizer(tokenizer, {});
    await fc.assert(
      fc.asyncProperty(texts, async (parts) => {
        const text = parts.join('');
        const ids = [...(await embedder.tokenize(text))];
        expect(ids.map((id) => vocabulary[id])).toEqual(reference.encode(text).ids.map((id) => vocabulary[id]));
      }),
      { numRuns: 150 },
    );
  });
});
