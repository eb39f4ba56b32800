// Models in the layout of other libraries than Sentence Transformers, with the same weights as folders of it.

import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { Embedder, SearchIndex } from 'quintet';
import { hiddenStates } from '../helpers/encoder_reference.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';

const folder = 'token_vectors/colbert-bert';
const read = (name) => readFileSync(fixturePath(`${folder}/${name}`));
const expected = JSON.parse(readFileSync(fixturePath('token_vectors/expected.json'), 'utf8')).find(
  ({ id }) => id === 'colbert-bert',
);
const json = (value) => new TextEncoder().encode(JSON.stringify(value));

const tensorsOf = (name) => [...plainSafetensors(read(name)).tensors];
const loaded = [];
afterAll(() => loaded.forEach((model) => model.close()));

async function load(files, options) {
  const model = await Embedder.load(files, options);
  loaded.push(model);
  return model;
}

/** A checkpoint as colbert-ai saves it: the linear layer is in the file of the network. */
const colbertCheckpoint = (settings) => ({
  'artifact.metadata': json({
    query_token_id: '[Q] ',
    doc_token_id: '[D] ',
    query_maxlen: 20,
    doc_maxlen: 60,
    dim: expected.dimension,
    similarity: 'cosine',
    ...settings,
  }),
  'config.json': json({ ...JSON.parse(read('config.json')), architectures: ['HF_ColBERT'] }),
  'tokenizer.json': read('tokenizer.json'),
  'tokenizer_config.json': read('tokenizer_config.json'),
  'model.safetensors': safetensorsFile({
    ...Object.fromEntries(tensorsOf('model.safetensors').map(([name, tensor]) => [`bert.${name}`, tensor])),
    ...Object.fromEntries(tensorsOf('1_Dense/model.safetensors')),
  }),
});

test("Stanford's checkpoints give the vectors of tokens", async () => {
  const colbert = await load(colbertCheckpoint({ mask_punctuation: false }));
  expect([colbert.vectors, colbert.dimension]).toEqual(['multi', expected.dimension]);
  for (const [i, { ids, role }] of expected.sequences.entries()) {
    const { kept, vectors } = await colbert.embedMultiIds(ids, { role });
    // All tokens have one.
    expect(kept).toHaveLength(role === 'query' ? 20 : ids.length);
    expected.kept[i].forEach((token, row) => {
      for (let d = 0; d < expected.dimension; ++d) {
        const [found, wanted] = [token, row].map((at) => at * expected.dimension + d);
        expect(Math.abs(vectors[found] - expected.vectors[i][wanted])).toBeLessThanOrEqual(expected.tolerance);
      }
    });
  }
});

test('their settings say which tokens of a text have vectors', async () => {
  const folder = await load(fixturePath('token_vectors/colbert-bert'));
  const colbert = await load(colbertCheckpoint());
  const texts = ['a red house', 'Stop. the old cat, here'];
  for (const role of ['query', 'document'])
    expect(await colbert.embedMulti(texts, { role })).toEqual(await folder.embedMulti(texts, { role }));
  const long = await load(colbertCheckpoint({ query_maxlen: 12, doc_maxlen: 8, attend_to_mask_tokens: true }));
  expect((await long.embedMulti('a red house', { role: 'query' })).kept).toHaveLength(12);
  expect((await long.embedMulti('a red house '.repeat(9))).kept).toHaveLength(8);
});

test('wrong settings, and those that fit nothing, are rejected', async () => {
  const failure = (files) => failureOf(() => Embedder.load({ ...colbertCheckpoint(), ...files }));
  const refused = [
    [{ 'artifact.metadata': json({ query_maxlen: '20' }) }, 'FORMAT', 'query_maxlen'],
    [{ 'artifact.metadata': json({ query_maxlen: 0 }) }, 'FORMAT', 'query_length'],
    [{ 'artifact.metadata': json([1]) }, 'FORMAT', 'object'],
    [{ 'artifact.metadata': Uint8Array.of(123, 255) }, 'FORMAT', 'JSON'],
    [{ 'artifact.metadata': new Uint8Array(1 << 17) }, 'FORMAT', 'bytes'],
    [
      { 'artifact.metadata': json({ query_token_id: '[Q] ', doc_token_id: 'nowhere', dim: expected.dimension }) },
      'UNSUPPORTED',
      'nowhere',
    ],
  ];
  for (const [files, code, part] of refused) {
    const { code: found, message } = await failure(files);
    expect([found, message]).toEqual([code, expect.stringContaining(part)]);
  }
});

test('modules.json wins if a folder has both', async () => {
  const files = Object.fromEntries(
    ['config_sentence_transformers.json', 'modules.json', '1_Dense/config.json', '1_Dense/model.safetensors'].map(
      (name) => [name, read(name)],
    ),
  );
  const both = await load({ ...colbertCheckpoint({ query_maxlen: 5 }), ...files });
  expect((await both.embedMulti('a red house', { role: 'query' })).kept).toHaveLength(20);
});

const xlmr = (name) => readFileSync(fixturePath(`rerankers/xlmr/${name}`));
const head = (name) => readFileSync(fixturePath(`token_vectors/bge_m3/${name}`));

/** bge-m3 in small: its layers are those of tests/fixtures/token_vectors/bge_m3/make.py. */
const bgeM3 = () => ({
  'config.json': json({ ...JSON.parse(xlmr('config.json')), architectures: ['XLMRobertaModel'] }),
  'modules.json': json([{ path: '', type: 'sentence_transformers.models.Transformer' }]),
  ...Object.fromEntries(['tokenizer.json', 'tokenizer_config.json', 'model.safetensors'].map((n) => [n, xlmr(n)])),
  ...Object.fromEntries(['colbert_linear.pt', 'sparse_linear.pt'].map((name) => [name, head(name)])),
});

/** The numbers from which make.py makes a layer, as the generator of Numerical Recipes gives them. */
function layerOf(outputs, inputs, seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const weight = Array.from({ length: outputs }, () => Array.from({ length: inputs }, next));
  return { weight, bias: Array.from({ length: outputs }, () => next() / 8) };
}

const multiply = ({ weight, bias }, x) =>
  weight.map((row, i) => row.reduce((sum, value, j) => sum + value * x[j], bias[i]));
const ids = [0, 78, 18, 26, 78, 169, 5, 200, 228, 3, 20, 2];
const width = 64;
const states = () => hiddenStates(JSON.parse(xlmr('config.json')), xlmr('model.safetensors'), 'roberta', ids);

test('bge-m3 gives the vectors of tokens by its colbert_linear.pt', async () => {
  const model = await load(bgeM3(), { vectors: 'multi' });
  expect([model.vectors, model.dimension]).toEqual(['multi', width]);
  const layer = layerOf(width, width, 3);
  for (const role of ['query', 'document']) {
    const { kept, vectors } = await model.embedMultiIds(ids, { role });
    expect(Array.from(kept)).toEqual(ids.map((_, i) => i).slice(1));
    states().forEach((state, token) => {
      if (token === 0) return;
      const vector = multiply(layer, state);
      const length = Math.hypot(...vector);
      vector.forEach((value, d) => expect(vectors[(token - 1) * width + d]).toBeCloseTo(value / length, 2));
    });
  }
});

test('and the weights of tokens by its sparse_linear.pt', async () => {
  const model = await load(bgeM3(), { vectors: 'sparse' });
  expect([model.vectors, model.dimension]).toEqual(['sparse', 256]);
  const layer = layerOf(1, width, 5);
  const expectedWeights = new Map();
  states().forEach((state, i) => {
    const [weight] = multiply(layer, state);
    if (ids[i] > 3 && weight > (expectedWeights.get(ids[i]) ?? 0)) expectedWeights.set(ids[i], weight);
  });
  const { indices, values } = await model.embedSparseIds(ids, { role: 'query' });
  expect(Array.from(indices)).toEqual([...expectedWeights.keys()].sort((a, b) => a - b));
  indices.forEach((id, i) => expect(values[i]).toBeCloseTo(expectedWeights.get(id), 3));
  const text = 'the old cat, here';
  const [given, byIds] = [await model.embedSparse(text), await model.embedSparseIds([...(await model.tokenize(text))])];
  expect(given).toEqual(byIds);
  expect(given.indices.length).toBeGreaterThan(0);
  const index = new SearchIndex({ embedder: model, keywords: false });
  await index.addTexts(['a red house', text].map((each, id) => ({ id, text: each })));
  expect((await index.search(text))[0].id).toBe(1);
});

test('a folder without the file of a head is rejected', async () => {
  const { 'sparse_linear.pt': _, ...files } = bgeM3();
  const failure = await failureOf(() => Embedder.load(files, { vectors: 'sparse' }));
  expect([failure.code, failure.message]).toEqual(['INPUT', expect.stringContaining('sparse_linear.pt')]);
});
