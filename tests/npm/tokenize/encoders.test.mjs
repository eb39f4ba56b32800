// Tokenizers of encoders give random texts and pairs of texts the ids and token types that Hugging Face's JavaScript
// tokenizer gives them.
import { readFileSync } from 'node:fs';
import { Tokenizer as Reference } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { Tokenizer } from 'quintet';
import { tokenizerJson } from '../../fixtures/tokenizers/byte_level/vocabularies.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { deviates } from './bert_code_points.mjs';
import { randomText } from './random_text.mjs';

const settings = { seed: 20261125, numRuns: 1500 };

const sequence = (id, type_id = 0) => ({ Sequence: { id, type_id } });
const special = (id, type_id = 0) => ({ SpecialToken: { id, type_id } });
const template = (single, pair, ids) => ({
  type: 'TemplateProcessing',
  single,
  pair,
  special_tokens: Object.fromEntries(
    Object.entries(ids).map(([id, number]) => [id, { id, ids: [number], tokens: [id] }]),
  ),
});
const added = (tokens, vocabulary) =>
  tokens.map((content) => ({
    id: vocabulary[content],
    content,
    special: true,
    normalized: false,
    lstrip: false,
    rstrip: false,
    single_word: false,
  }));

function wordPiece(lowercase) {
  const words = readFileSync(new URL('../../fixtures/tokenizers/minilm/vocab.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
  const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const start = [special('[CLS]'), sequence('A'), special('[SEP]')];
  return {
    version: '1.0',
    added_tokens: added(specials, vocab),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: template(start, [...start, sequence('B', 1), special('[SEP]', 1)], {
      '[CLS]': vocab['[CLS]'],
      '[SEP]': vocab['[SEP]'],
    }),
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

function roberta() {
  const json = tokenizerJson('roberta');
  const { vocab } = json.model;
  const names = ['<s>', '<pad>', '</s>', '<unk>', '<mask>'];
  for (const name of names) vocab[name] ??= Object.keys(vocab).length;
  return {
    ...json,
    added_tokens: added(names, vocab),
    post_processor: {
      type: 'RobertaProcessing',
      sep: ['</s>', vocab['</s>']],
      cls: ['<s>', vocab['<s>']],
      trim_offsets: true,
      add_prefix_space: true,
    },
  };
}

// Leaves out the map of its normalizer, which the JavaScript library replaces by NFKC: unigram.test.mjs compares with
// the Rust library, which reads it. The map makes a space of all white space.
const unigram = () => ({
  ...JSON.parse(Buffer.from(fixtureFile('tokenizers/unigram/tokenizer.json')).toString()),
  normalizer: null,
});

const withoutDeviations = (text) =>
  [...text].filter((character) => !deviates(character.codePointAt(0)) && character.codePointAt(0) < 0x20000).join('');

describe.each([
  ['WordPiece, uncased', () => wordPiece(true), withoutDeviations],
  ['WordPiece, cased', () => wordPiece(false), withoutDeviations],
  // RobertaProcessing of the JavaScript library has types 0 and 1, that of the Rust library 0 alone, as RoBERTa has.
  ["RoBERTa's byte-level BPE", roberta, (text) => text, (types) => types.map(() => 0)],
  ["XLM-RoBERTa's unigram model", unigram, (text) => text.replace(/[\s\x85]/g, ' ')],
])('%s', (_, make, prepare, typesOf = (types) => types) => {
  let json;
  let tokenizer;
  let reference;
  beforeAll(async () => {
    json = make();
    tokenizer = await Tokenizer.load(new TextEncoder().encode(JSON.stringify(json)));
    reference = new Reference(json, {});
  });
  afterAll(() => tokenizer?.close());

  test('of a text', () => {
    fc.assert(
      fc.property(randomText.map(prepare), (text) => {
        expect(Array.from(tokenizer.encode(text, { parseSpecial: true }))).toEqual(reference.encode(text).ids);
      }),
      settings,
    );
  });

  test('of a pair', () => {
    // The JavaScript library treats an empty text as a missing one (reranker.test.mjs).
    const side = randomText.map(prepare).filter((text) => text !== '');
    fc.assert(
      fc.property(side, side, (query, text) => {
        const { ids, types } = tokenizer.encodePair(query, text);
        const expected = reference.encode(query, { text_pair: text, return_token_type_ids: true });
        expect(Array.from(ids)).toEqual(expected.ids);
        expect(Array.from(types)).toEqual(typesOf(expected.token_type_ids));
      }),
      settings,
    );
  });
});
