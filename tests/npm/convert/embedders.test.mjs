// convert of embedders in GGUF: those of BERT become .weights with llama.cpp's vectors; for others the error explains
// what to do.

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { convert, Embedder } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const cases = JSON.parse(readFileSync(fixturePath('encoders/expected.json'), 'utf8'));
const toWeights = async (path, options) =>
  new Uint8Array(await new Response(convert(path, { to: 'weights', ...options })).arrayBuffer());

test('a GGUF file of BERT becomes a .weights file with its pooling and vocabulary', async () => {
  const path = fixturePath('encoders/bert-cls.gguf');
  const bytes = await toWeights(path);
  const [embedder, original] = [await Embedder.load(bytes), await Embedder.load(path)];
  const { sequences, vectors, tolerance } = cases.find(({ model }) => model === 'bert-cls.gguf');
  for (const [i, ids] of sequences.entries()) {
    const vector = await embedder.embedIds(ids);
    expect(Math.max(...vector.map((value, at) => Math.abs(value - vectors[i][at])))).toBeLessThanOrEqual(tolerance);
  }
  expect(embedder.pooling).toBe('cls');
  expect(embedder.info.warnings).toBeUndefined();
  const text = 'The cat in 1999: not a hat?';
  expect(await embedder.tokenize(text)).toEqual(await original.tokenize(text));
  for (const each of [embedder, original]) each.close();
});

test('in int8 it has the bits of the file that is quantized while loading', async () => {
  const path = fixturePath('encoders/bert-cls.gguf');
  const converted = await Embedder.load(await toWeights(path, { quantize: 'int8-row' }));
  const streamed = await Embedder.load(path, { quantize: 'int8' });
  expect(await converted.embed('the cat')).toEqual(await streamed.embed('the cat'));
  for (const each of [converted, streamed]) each.close();
});

test.each([
  ['encoders/modern-bert.gguf', 'ModernBERT; Embedder loads it as it is'],
  ['encoders/nomic-bert.gguf', 'NomicBERT; Embedder loads it as it is'],
  ['encoders/jina-bert-v2.gguf', 'JinaBERT v2; Embedder loads it as it is'],
  ['encoders/gemma-embedding.gguf', 'EmbeddingGemma; Embedder loads it as it is'],
  ['encoders/bert-unigram-mean.gguf', 'weights stores WordPiece vocabularies only; Embedder loads this model as it is'],
  ['rerankers/direct.gguf', 'a reranker is read by Reranker'],
  ['rerankers/bert', 'Reranker loads its folder'],
])('%s is rejected: %s', async (path, message) => {
  const source = path.endsWith('.gguf') ? fixturePath(path) : filesIn(path);
  expect(await failureOf(toWeights(source))).toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining(message),
  });
});

const filesIn = (folder) =>
  Object.fromEntries(
    ['config.json', 'tokenizer.json', 'model.safetensors'].map((name) => [name, fixturePath(`${folder}/${name}`)]),
  );
