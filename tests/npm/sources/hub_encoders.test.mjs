// Embedders and rerankers by name: their repositories have files in folders, which are read in an order in which they
// can be.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Embedder, Reranker } from 'quintet';
import { base, bytesOf } from '../helpers/embedder_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';

const text = (value) => Buffer.from(JSON.stringify(value));
const json = (path) => JSON.parse(readFileSync(fixturePath(path), 'utf8'));

/** All files of a folder, those of the folders in it too. */
function filesIn(folder) {
  const entries = readdirSync(fixturePath(folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return [path.slice(fixturePath(folder).length + 1).replaceAll(sep, '/'), readFileSync(path)];
    }),
  );
}

const dense = (inputs, outputs) => ({
  config: text({
    in_features: inputs,
    out_features: outputs,
    bias: false,
    activation_function: 'torch.nn.modules.linear.Identity',
  }),
  weights: Buffer.from(
    safetensorsFile({
      'linear.weight': {
        shape: [outputs, inputs],
        values: Array.from({ length: inputs * outputs }, (_, i) => Math.sin(i)),
      },
    }),
  ),
});
const [first, second] = [dense(64, 8), dense(8, 4)];
const modules = (...paths) =>
  text(
    paths.map((path, idx) => ({
      idx,
      name: `${idx}`,
      path,
      type: `sentence_transformers.models.${path.slice(2) || 'Transformer'}`,
    })),
  );
const withDense = {
  ...filesIn('encoders/bert-xlmr-mean'),
  'modules.json': modules('', '1_Pooling', '2_Dense', '3_Dense'),
  '2_Dense/config.json': first.config,
  '2_Dense/model.safetensors': first.weights,
  '3_Dense/config.json': second.config,
  '3_Dense/model.safetensors': second.weights,
};
const vocabulary = { '[UNK]': 0, a: 1, cat: 2 };
const rows = [0, 0, 0.5, -1, 2, 0.25];
const staticEmbedding = {
  'modules.json': modules('0_StaticEmbedding'),
  '0_StaticEmbedding/tokenizer.json': text({
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: vocabulary,
    },
  }),
  '0_StaticEmbedding/model.safetensors': Buffer.from(
    safetensorsFile({ 'embedding.weight': { shape: [3, 2], values: rows } }),
  ),
};

let server;
let hub;
let home;

beforeAll(async () => {
  server = await serveHub();
  const others = {
    'README.md': Buffer.from('# A model\n'),
    'onnx/config.json': text({}),
    '1_Pooling/README.md': Buffer.from('#\n'),
  };
  server.add('zoo/sentence', { ...filesIn('encoders/modern-bert'), ...others });
  server.add('zoo/dense', withDense);
  server.add('zoo/static', { ...staticEmbedding, 'README.md': others['README.md'] });
  server.add('zoo/reranker', { ...filesIn('rerankers/bert'), ...others });
  server.add('zoo/weights', { 'model.weights': bytesOf(base) });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.forget();
  home = await mkdtemp(join(tmpdir(), 'quintet-hub-'));
  process.env.HF_HOME = home;
  hub = { endpoint: server.endpoint };
});
afterEach(async () => {
  delete process.env.HF_HOME;
  await rm(home, { recursive: true });
});

const asked = () => server.requests.slice(1).map(({ path }) => path.replace(/^.*\/resolve\/[0-9a-f]{40}\//, ''));

test('a folder of sentence-transformers gives the vectors of llama.cpp, and its settings are read', async () => {
  const embedder = await Embedder.load('hf:zoo/sentence', { hub });
  const expected = json('encoders/expected.json').find(({ id }) => id === 'modern-bert-folder');
  for (const [i, ids] of expected.sequences.entries()) {
    expect(distance(Array.from(await embedder.embedIds(ids)), expected.vectors[i])).toBeLessThanOrEqual(
      expected.tolerance,
    );
  }
  expect(embedder.info.warnings).toBeUndefined();
  embedder.close();
  expect(asked().sort()).toEqual(Object.keys(filesIn('encoders/modern-bert')).sort());
});

test('all descriptions of modules are read before the weights of any', async () => {
  const [named, local] = [await Embedder.load('hf:zoo/dense', { hub }), await Embedder.load(withDense)];
  expect(named.dimension).toBe(4);
  expect(await named.embed('a cat')).toEqual(await local.embed('a cat'));
  for (const each of [named, local]) each.close();
});

test('static embeddings have all their files in the folder of the module', async () => {
  const embedder = await Embedder.load('hf:zoo/static', { hub });
  expect(Array.from(await embedder.embed('A cat'))).toEqual([(0.5 + 2) / 2, (-1 + 0.25) / 2]);
  embedder.close();
  expect(asked().sort()).toEqual(Object.keys(staticEmbedding).sort());
});

test('a reranker gives the logits of llama.cpp', async () => {
  const reranker = await Reranker.load('hf:zoo/reranker', { hub });
  const { pairs, scores, tolerance } = json('rerankers/expected.json').find(({ model }) => model === 'bert');
  for (const [i, { ids, types }] of pairs.entries()) {
    expect(Math.abs((await reranker.scoreIds(ids, types)) - scores[i])).toBeLessThanOrEqual(tolerance);
  }
  reranker.close();
  expect(asked().sort()).toEqual(Object.keys(filesIn('rerankers/bert')).sort());
});

test('a repository without a reranker is rejected before anything is downloaded', async () => {
  const failure = await failureOf(Reranker.load('hf:zoo/weights', { hub }));
  expect(failure).toMatchObject({ code: 'UNSUPPORTED' });
  expect(failure.message).toContain(
    'zoo/weights has nothing that Reranker reads: that is config.json and *.safetensors, or *.gguf',
  );
  expect(asked()).toEqual([]);
});
