// The logits of classifiers compared with helpers/encoder_reference.mjs, and inputs that are rejected.

import { afterAll, expect, test } from '@jest/globals';
import { Embedder, QuintetError, Reranker, TextClassifier, TokenClassifier } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { decoderFolder, expectedLogits, families, labelFolder } from './label_folders.mjs';

const loaded = [];
afterAll(() => loaded.forEach((model) => model.close()));

async function load(Class, files, options) {
  const model = await Class.load(files, options);
  loaded.push(model);
  return model;
}

const labels = ['sad', 'glad', 'neither', 'LABEL_3', 'mad'];
const tags = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC', 'B-ORG', 'I-ORG'];
const ids = [
  2, 78, 18, 26, 135, 169, 5, 200, 228, 162, 20, 114, 136, 195, 99, 158, 77, 70, 64, 33, 44, 55, 66, 77, 88, 99, 101, 3,
];
const types = ids.map((_, i) => Number(i > 8));
const tolerance = 1e-3;

function expectNear(actual, expected, within = tolerance) {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, i) => expect(Math.abs(actual[i] - value)).toBeLessThanOrEqual(within));
}

test.each(Object.keys(families))('%s gives the logits of the labels of texts', async (folder) => {
  const files = labelFolder(folder, { labels });
  const classifier = await load(TextClassifier, files);
  expect(classifier.labels).toEqual(labels);
  expectNear(await classifier.logitsIds(ids), expectedLogits(folder, files, { ids }));
  if (!['bert', 'electra'].includes(folder)) return;
  expectNear(await classifier.logitsIds(ids, types), expectedLogits(folder, files, { ids, types }));
});

test.each(Object.keys(families))('%s gives the logits of the labels of tokens', async (folder) => {
  const files = labelFolder(folder, { labels: tags, perToken: true });
  const classifier = await load(TokenClassifier, files);
  expect(classifier.labels).toEqual(tags);
  expectNear(await classifier.logitsIds(ids), expectedLogits(folder, files, { perToken: true, ids }).flat());
});

test.each(['qwen3', 'gemma', 'mistral-window', 'lfm2'])('%s gives the logits of its last token', async (family) => {
  const folder = decoderFolder({ labels, family });
  const classifier = await load(TextClassifier, folder);
  const body = await load(Embedder, decoderFolder({ family, architectures: ['AnyModel'] }));
  const state = await body.embedIds(ids, { pooling: 'last', normalize: false });
  const { values } = plainSafetensors(folder['model.safetensors']).tensors.get('score.weight');
  const wanted = labels.map((_, i) => state.reduce((sum, value, j) => sum + value * values[i * state.length + j], 0));
  expectNear(await classifier.logitsIds(ids), wanted);
  const reranker = await load(Reranker, decoderFolder({ labels: ['LABEL_0'], family }));
  expectNear([await reranker.scoreIds(ids)], wanted.slice(0, 1));
});

// A head whose matrix is the embedding gives what the tied output of a language model gives, for which llama.cpp's
// results are known.
const recorded = JSON.parse(new TextDecoder().decode(fixtureFile('families/expected.json')));
const logSoftmax = (logits) => {
  const largest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return logits.map((logit) => logit - largest - Math.log(sum));
};

test.each(['llama-llama3-rope', 'qwen2-tied', 'gemma3'])('%s gives the logits of each token', async (family) => {
  const { ids: prompt, positions, logprobs, tolerance: within } = recorded.find(({ id }) => id === family);
  const { tensors } = plainSafetensors(fixtureFile(`families/${family}/model.safetensors`));
  const words = tensors.get('model.embed_tokens.weight');
  const names = Array.from({ length: words.shape[0] }, (_, i) => `L${i}`);
  const folderOf = (architecture) =>
    decoderFolder({ labels: names, family, head: words, architectures: [architecture] });
  const tagger = await load(TokenClassifier, folderOf('AnyForTokenClassification'));
  const logits = Array.from(await tagger.logitsIds(prompt));
  const classifier = await load(TextClassifier, folderOf('AnyForSequenceClassification'));
  for (const [i, length] of positions.entries()) {
    expectNear(logSoftmax(logits.slice((length - 1) * names.length, length * names.length)), logprobs[i], within);
    expectNear(logSoftmax(Array.from(await classifier.logitsIds(prompt.slice(0, length)))), logprobs[i], within);
  }
});

test('bidirectional decoders with a head are unsupported', async () => {
  const folder = decoderFolder({ labels, use_bidirectional_attention: true });
  expect((await failureOf(() => TextClassifier.load(folder))).code).toBe('UNSUPPORTED');
});

// Buckets of several distances, the last of which is without an end.
test('DeBERTa reads as many tokens as it has positions', async () => {
  const files = labelFolder('deberta', { labels });
  const classifier = await load(TextClassifier, files);
  const long = Array.from({ length: 64 }, (_, i) => 4 + ((i * 37) % 250));
  expectNear(await classifier.logitsIds(long), expectedLogits('deberta', files, { ids: long }));
  // After longer ones, shorter ones are the same.
  expectNear(await classifier.logitsIds(ids), expectedLogits('deberta', files, { ids }));
});

test('int8 is close to float', async () => {
  const files = labelFolder('deberta', { labels });
  const classifier = await load(TextClassifier, files, { quantize: 'int8' });
  const expected = expectedLogits('deberta', files, { ids });
  const errors = (await classifier.logitsIds(ids)).map((logit, i) => Math.abs(logit - expected[i]));
  expect(Math.max(...errors)).toBeLessThan(1);
});

const textOf = (classifier) => TextClassifier.load(classifier);
test.each([
  ['no id2label', { id2label: undefined }, { code: 'FORMAT', reason: 'missing' }, 'id2label is missing'],
  ['an empty id2label', { id2label: {} }, { code: 'FORMAT', reason: 'malformed' }, 'id2label'],
  ['a gap in id2label', { id2label: { 0: 'a', 2: 'b' } }, { code: 'FORMAT', reason: 'malformed' }, 'but it has 2'],
  ['a label twice', { id2label: { 0: 'a', '00': 'b' } }, { code: 'FORMAT', reason: 'malformed' }, 'but it has 00'],
  ['a label without text', { id2label: { 0: 'a', 1: 2 } }, { code: 'FORMAT', reason: 'malformed' }, 'but it has 1'],
  ['another number of labels', { num_labels: 3 }, { code: 'FORMAT', reason: 'mismatch' }, 'id2label names 5'],
  [
    'fewer names than rows',
    { id2label: { 0: 'a', 1: 'b' } },
    { code: 'FORMAT', reason: 'mismatch' },
    'expected [2, 64]',
  ],
  ['another class', { architectures: ['BertModel'] }, { code: 'UNSUPPORTED' }, 'ForSequenceClassification'],
  ['another problem', { problem_type: 'ranking' }, { code: 'UNSUPPORTED' }, 'problem_type'],
])('a folder with %s is rejected in one error', async (_what, config, error, part) => {
  const failure = await failureOf(textOf(labelFolder('bert', { labels, config })));
  expect(failure).toBeInstanceOf(QuintetError);
  expect(failure).toMatchObject(error);
  expect(failure.message).toContain(part);
});

test('classifiers of texts and tokens, rerankers and embedders are distinguished', async () => {
  const [texts, tokens] = [labelFolder('bert', { labels }), labelFolder('bert', { labels: tags, perToken: true })];
  expect((await failureOf(TextClassifier.load(tokens))).message).toContain('ForSequenceClassification');
  expect((await failureOf(TokenClassifier.load(texts))).message).toContain('ForTokenClassification');
  expect((await failureOf(Embedder.load(texts))).message).toContain('TextClassifier');
  expect((await failureOf(Reranker.load(texts))).message).toContain('5 labels');
  const gguf = fixturePath('encoders/bert-cls.gguf');
  expect(await failureOf(TextClassifier.load(gguf))).toMatchObject({ code: 'UNSUPPORTED' });
  expect(await failureOf(TokenClassifier.load(gguf))).toMatchObject({ code: 'UNSUPPORTED' });
  expect(await failureOf(TextClassifier.load(fixturePath('embd/f32.weights')))).toMatchObject({ code: 'UNSUPPORTED' });
});

test('a model without the layers before the classifier is rejected, unless its tokens have labels', async () => {
  const without = (options) =>
    labelFolder('bert', {
      labels: tags,
      tensors: { 'bert.pooler.dense.weight': { shape: [0], values: [] } },
      ...options,
    });
  expect(await failureOf(TextClassifier.load(without({})))).toMatchObject({ code: 'FORMAT' });
  await load(TokenClassifier, without({ perToken: true }));
});
