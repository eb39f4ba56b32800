// Static embeddings: folders of model2vec and of sentence-transformers, against the formula in float64 over the ids of
// @huggingface/tokenizers.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { afterAll, expect, test } from '@jest/globals';
import { Embedder } from 'quintet';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';

const vocabulary = readFileSync(fixturePath('encoders/bert-cls-folder/vocab.txt'), 'utf8').trimEnd().split('\n');
const [unknown, cls, sep] = ['[UNK]', '[CLS]', '[SEP]'].map((token) => vocabulary.indexOf(token));
// The post-processor is there to be ignored.
const tokenizerJson = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', sep], cls: ['[CLS]', cls] },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
  },
};
const tokenizer = new Tokenizer(tokenizerJson, {});
const idsOf = (text) => tokenizer.encode(text, { add_special_tokens: false }).ids;

const rows = 100;
const width = 24;
const number = (seed) => Math.fround(Math.sin(seed * 12.9898) * 1.7);
const table = (count) => Array.from({ length: count * width }, (_, i) => number(i + 1));
const weights = vocabulary.map((_, id) => Math.fround(0.25 + (id % 7) / 5));
const mapping = vocabulary.map((_, id) => (id * 37) % rows);
const clustered = {
  embeddings: { shape: [rows, width], values: table(rows) },
  weights: { dtype: 'F64', shape: [vocabulary.length], values: weights },
  mapping: { dtype: 'I64', shape: [vocabulary.length], values: mapping },
};
const plain = { embeddings: { shape: [vocabulary.length, width], values: table(vocabulary.length) } };

const lengths = vocabulary.map((token) => [...token].length).sort((a, b) => a - b);
const middle = lengths.length / 2;
const median = Math.floor((lengths[Math.floor(middle - 0.5)] + lengths[Math.floor(middle)]) / 2);

/** model2vec, model.py: `encode` with its default of 512 tokens. */
function model2vec(tensors, text, normalize) {
  const characters = [...text].slice(0, 512 * median).join('');
  const ids = idsOf(characters)
    .filter((id) => id !== unknown)
    .slice(0, 512);
  return mean(tensors, ids, normalize);
}

function mean({ embeddings, weights: factors, mapping: places }, ids, normalize) {
  const sum = new Float64Array(width);
  for (const id of ids) {
    const row = places ? places.values[id] : id;
    for (let i = 0; i < width; ++i) sum[i] += embeddings.values[row * width + i] * (factors ? factors.values[id] : 1);
  }
  const vector = Array.from(sum, (value) => value / Math.max(1, ids.length));
  const length = Math.hypot(...vector);
  return normalize && length > 0 ? vector.map((value) => value / length) : vector;
}

const bytes = (value) => (value instanceof Uint8Array ? value : new TextEncoder().encode(JSON.stringify(value)));
const files = (content) => Object.fromEntries(Object.entries(content).map(([name, value]) => [name, bytes(value)]));
const potion = (tensors, config = {}) =>
  files({
    'config.json': { model_type: 'model2vec', architectures: ['StaticModel'], ...config },
    'tokenizer.json': tokenizerJson,
    'model.safetensors': safetensorsFile(tensors),
  });
const module = (type, path) => ({ idx: 0, name: '0', path, type: `sentence_transformers.models.${type}` });
const sentenceTransformer = (tensors, ...others) =>
  files({
    'modules.json': [module('StaticEmbedding', '0_StaticEmbedding'), ...others],
    '0_StaticEmbedding/tokenizer.json': tokenizerJson,
    '0_StaticEmbedding/model.safetensors': safetensorsFile(tensors),
  });

// Sums of thousands of rows are rounded in float32. A token more or less changes a mean by ten times as much.
const tolerance = 3e-5;

const loaded = [];
afterAll(() => loaded.forEach((embedder) => embedder.close()));
async function load(source, options) {
  const embedder = await Embedder.load(source, options);
  loaded.push(embedder);
  return embedder;
}

const texts = [
  'a',
  'The sea was at rest, and so the men slept on.',
  'what is 猫 or ☃ to a snowman',
  `${'en es '.repeat(400)}`, // more than 512 tokens
  `${'entertainments '.repeat(512)}`, // more characters than are read
];

test.each([
  ['shared rows and weights', clustered, true],
  ['a row for each token', plain, true],
  ['vectors of any length', plain, false],
])('a folder of model2vec: %s', async (_what, tensors, normalize) => {
  const embedder = await load(potion(tensors, { normalize }));
  expect(embedder.dimension).toBe(width);
  expect(embedder.maxLength).toBe(512);
  const vectors = await embedder.embed(texts);
  texts.forEach((text, i) => {
    expect(distance(Array.from(vectors[i]), model2vec(tensors, text, normalize))).toBeLessThan(tolerance);
  });
  // Texts without a known token have no direction.
  for (const text of ['', '☃']) expect(Array.from(await embedder.embed(text))).toEqual(new Array(width).fill(0));
});

test('its tokens have no special ones around them, and no unknown ones', async () => {
  const embedder = await load(potion(plain));
  const expected = idsOf(texts[2]);
  expect(expected).toContain(unknown);
  expect(Array.from(await embedder.tokenize(texts[2]))).toEqual(expected.filter((id) => id !== unknown));
});

test('a StaticEmbedding module of sentence-transformers', async () => {
  const tensors = { 'embedding.weight': plain.embeddings };
  const whole = await load(sentenceTransformer(tensors));
  const normal = await load(sentenceTransformer(tensors, module('Normalize', '1_Normalize')));
  // Unknown tokens count, and there is no limit of 512 tokens.
  for (const text of texts) {
    const ids = idsOf(text);
    expect(distance(Array.from(await whole.embed(text)), mean(plain, ids, false))).toBeLessThan(tolerance);
    expect(distance(Array.from(await normal.embed(text)), mean(plain, ids, true))).toBeLessThan(tolerance);
  }
});

test('a folder on disk has everything in the folder of the module', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quintet-static-'));
  try {
    for (const [name, content] of Object.entries(sentenceTransformer({ 'embedding.weight': plain.embeddings }))) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const embedder = await load(folder);
    const expected = mean(plain, idsOf(texts[1]), false);
    expect(distance(Array.from(await embedder.embed(texts[1])), expected)).toBeLessThan(tolerance);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('in int8 it is close to itself', async () => {
  const embedder = await load(potion(clustered, { normalize: true }), { quantize: 'int8' });
  const expected = model2vec(clustered, texts[1], true);
  const off = distance(Array.from(await embedder.embed(texts[1])), expected);
  expect(off).toBeLessThan(0.01);
  expect(off).toBeGreaterThan(1e-6);
});

test('int8 tables of model2vec are read unchanged', async () => {
  const values = plain.embeddings.values.map((value) => Math.round(value * 70));
  const tensors = { embeddings: { dtype: 'I8', shape: [vocabulary.length, width], values } };
  const embedder = await load(potion(tensors, { normalize: true }));
  expect(distance(Array.from(await embedder.embed(texts[1])), model2vec(tensors, texts[1], true))).toBeLessThan(
    tolerance,
  );
});

test.each([
  ['no table', { other: plain.embeddings }, 'missing', /embeddings/],
  [
    'fewer rows than tokens',
    { embeddings: { shape: [rows, width], values: table(rows) } },
    'mismatch',
    /100 rows, but the vocabulary has 256 tokens/,
  ],
  [
    'weights of other tokens',
    { ...plain, weights: { shape: [3], values: [1, 2, 3] } },
    'mismatch',
    /3 weights of 256 tokens/,
  ],
  [
    'a row that is not there',
    { ...clustered, mapping: { ...clustered.mapping, values: mapping.map((row) => row + 1) } },
    'limit',
    /the row of token \d+ is not one of 100/,
  ],
  [
    'a negative row',
    { ...clustered, mapping: { ...clustered.mapping, values: mapping.map((row) => row - 1) } },
    'limit',
    /the row of token/,
  ],
  ['a table with one dimension', { embeddings: { shape: [width], values: table(1) } }, 'mismatch', /expected a matrix/],
])('%s is one clear error', async (_what, tensors, reason, message) => {
  const error = await failureOf(load(potion(tensors)));
  expect(error).toMatchObject({ code: 'FORMAT', reason });
  expect(`${error.tensor} ${error.message}`).toMatch(message);
});
