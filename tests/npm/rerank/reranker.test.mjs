// Rerankers compared with llama.cpp (tests/fixtures/rerankers/README.md), and pairs of texts with Hugging Face's
// tokenizers.

import { readFileSync } from 'node:fs';
import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers';
import { afterAll, expect, test } from '@jest/globals';
import { Embedder, Reranker, Tokenizer } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';

const cases = JSON.parse(readFileSync(fixturePath('rerankers/expected.json'), 'utf8'));
const loaded = [];
afterAll(() => loaded.forEach((reranker) => reranker.close()));

async function load(source, options) {
  const reranker = await Reranker.load(source, options);
  loaded.push(reranker);
  return reranker;
}
const named = (name) => load(fixturePath(`rerankers/${name}`));
const json = (path) => JSON.parse(readFileSync(fixturePath(`rerankers/${path}`), 'utf8'));

test.each(cases.map((each) => [each.model, each]))(
  '%s gives the logits of llama.cpp',
  async (model, { pairs, scores, tolerance }) => {
    const reranker = await named(model);
    for (const [i, { ids, types }] of pairs.entries()) {
      expect(Math.abs((await reranker.scoreIds(ids, types)) - scores[i])).toBeLessThanOrEqual(tolerance);
    }
  },
);

test('token types change the score of BERT, and their default is 0', async () => {
  const reranker = await named('bert');
  const { ids, types } = cases[0].pairs[0];
  const untyped = await reranker.scoreIds(ids);
  expect(untyped).toBe(
    await reranker.scoreIds(
      ids,
      ids.map(() => 0),
    ),
  );
  expect(Math.abs(untyped - (await reranker.scoreIds(ids, types)))).toBeGreaterThan(0.01);
});

test('int8 is close to float', async () => {
  const reranker = await load(fixturePath('rerankers/bert'), { quantize: 'int8' });
  const [{ pairs, scores, tolerance }] = cases;
  const errors = await Promise.all(
    pairs.map(async ({ ids, types }, i) => Math.abs((await reranker.scoreIds(ids, types)) - scores[i])),
  );
  expect(Math.max(...errors)).toBeGreaterThan(tolerance / 10);
  expect(Math.max(...errors)).toBeLessThan(0.5);
});

// sentence-transformers, base/modality.py: prepend_prompt_to_texts.
test.each(['bert', 'xlmr'])('the default prompt of %s is put before the query', async (folder) => {
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
  const files = Object.fromEntries(
    names.map((name) => [name, new Uint8Array(readFileSync(fixturePath(`rerankers/${folder}/${name}`)))]),
  );
  const saying = (json) => ({
    'config_sentence_transformers.json': new TextEncoder().encode(JSON.stringify(json)),
    ...files,
  });
  const prompts = { query: 'Find the answer: ', other: 'x' };
  const plain = await load(files);
  const prompted = await load(saying({ model_type: 'CrossEncoder', prompts, default_prompt_name: 'query' }));
  const expected = await plain.score('Find the answer: what is it', ['a cat', 'tea']);
  expect(await prompted.score('what is it', ['a cat', 'tea'])).toEqual(expected);
  expect(await plain.score('what is it', ['a cat', 'tea'])).not.toEqual(expected);
  const none = await load(saying({ prompts, default_prompt_name: null }));
  expect(await none.score('what is it', ['a cat', 'tea'])).toEqual(await plain.score('what is it', ['a cat', 'tea']));
  expect((await failureOf(load(saying({ prompts, default_prompt_name: 'no' })))).message).toMatch(
    /default_prompt_name "no"/,
  );
  expect((await failureOf(load(saying({ pair_order: 'reversed' })))).message).toMatch(/pair_order/);
});

const query = 'the tea in 1999';
const texts = [
  'not a hat',
  'it is in the sea, or in the air',
  'a',
  'tea and   toast: 3 of them!',
  'n i o a t e '.repeat(4).trim(),
];

const tokenizerOf = (folder) =>
  new HuggingFaceTokenizer(json(`${folder}/tokenizer.json`), json(`${folder}/tokenizer_config.json`));
/** The pair as Hugging Face makes it of tokenizer.json. */
function pairOf(folder, a, b) {
  const { ids, token_type_ids: types } = tokenizerOf(folder).encode(a, { text_pair: b, return_token_type_ids: true });
  return { ids, types };
}

test.each(['bert', 'xlmr'])('texts of %s are the pairs of Hugging Face', async (folder) => {
  const reranker = await named(folder);
  const scores = await reranker.score(query, texts);
  for (const [i, text] of texts.entries()) {
    const { ids, types } = pairOf(folder, query, text);
    expect(scores[i]).toBe(Math.fround(await reranker.scoreIds(ids, types)));
  }
});

// @huggingface/tokenizers treats an empty text as a missing one.
test('an empty text is a valid part of a pair', async () => {
  const reranker = await named('bert');
  const { ids } = tokenizerOf('bert').encode(query);
  expect(await reranker.score(query, '')).toBe(await reranker.scoreIds([...ids, 3], [...ids.map(() => 0), 1]));
});

test('pairs of GGUF files have the special tokens of the folder', async () => {
  const [file, folder] = [await named('xlmr.gguf'), await named('xlmr')];
  expect(await file.score('tea', 'toast')).toBeCloseTo(await folder.score('tea', 'toast'), 4);
});

/** The file with another length; positions are rotations, so any will do. */
function withContextLength(file, length) {
  const bytes = fixtureFile(`rerankers/${file}`);
  const key = 'qwen3.context_length';
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(key);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at + key.length + 4, length, true); // after the type
  return bytes;
}

// The prompt of the model card. What looks like a special token in a text is text.
test('Qwen3-Reranker reads a pair as one prompt', async () => {
  const bytes = withContextLength('qwen3.gguf', 512);
  const reranker = await load(bytes);
  const tokenizer = await Tokenizer.load(bytes);
  const special = (text) => Array.from(tokenizer.encode(text, { parseSpecial: true }));
  const ahead = special(
    '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the ' +
      'answer can only be "yes" or "no".<|im_end|>\n<|im_start|>',
  );
  const behind = special('<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n');
  const task = 'Given a web search query, retrieve relevant passages that answer the query';
  for (const text of ['a', 'a <|im_end|> b', 'the tea in the sea '.repeat(30)]) {
    const content = Array.from(tokenizer.encode(`user\n<Instruct>: ${task}\n<Query>: ${query}\n<Document>: ${text}`));
    const ids = [...ahead, ...content.slice(0, 512 - ahead.length - behind.length), ...behind];
    expect(await reranker.score(query, text)).toBe(Math.fround(await reranker.scoreIds(ids)));
  }
  tokenizer.close();
  // A model without room for its prompt.
  expect(await failureOf((await named('qwen3.gguf')).score(query, 'a'))).toMatchObject({
    code: 'INPUT',
    reason: 'out_of_range',
  });
});

test('a text scores the same bits alone, in a list, and in ranks', async () => {
  const reranker = await named('bert');
  const list = Array.from({ length: 300 }, (_, i) => `${texts[i % texts.length]} ${i}`);
  const scores = await reranker.score(query, list);
  for (const i of [0, 7, 299]) expect(await reranker.score(query, list[i])).toBe(scores[i]);
  const ranked = await reranker.rank(query, list);
  expect(ranked.map(({ index }) => index)).toEqual([...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b));
  expect(ranked.every(({ index, score, text }) => score === scores[index] && text === list[index])).toBe(true);
  expect(await reranker.rank(query, list, { topK: 2 })).toEqual(ranked.slice(0, 2));
  expect(await reranker.rank(query, [])).toEqual([]);
});

test('the longer part of a long pair is cut', async () => {
  const reranker = await named('bert');
  const [cls, sep] = [2, 3];
  const plain = (text) => tokenizerOf('bert').encode(text).ids.slice(1, -1);
  const [short, long] = [plain('tea'), plain('n i o a t e '.repeat(60))];
  const told = [];
  const onTruncate = (...what) => told.push(what);
  const room = reranker.maxLength - 3;
  expect(reranker.maxLength).toBe(96);

  const cut = (count, ids) => ids.slice(0, count);
  const both = (a, b) =>
    reranker.scoreIds(
      [cls, ...a, sep, ...b, sep],
      [0, ...a, 0, ...b, 1].map((_, i) => Number(i >= a.length + 2)),
    );
  expect(await reranker.score('tea', ['a', 'n i o a t e '.repeat(60)], { onTruncate })).toEqual(
    Float32Array.of(await reranker.score('tea', 'a'), await both(short, cut(room - short.length, long))),
  );
  expect(told).toEqual([[1, short.length + long.length + 3]]);
  expect(await reranker.score('n i o a t e '.repeat(60), 'tea')).toBe(
    await both(cut(room - short.length, long), short),
  );
  expect(await reranker.score('n i o', 'n i o a', { maxLength: 8 })).toBe(
    await both(cut(2, plain('n i o')), cut(3, plain('n i o a'))),
  );
});

const bertFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
/** The folder with changes: of config.json, or of the header of its tensors. */
function changed(change = {}, rewriteHeader = (header) => header, folder = 'bert') {
  const files = Object.fromEntries(bertFiles.map((name) => [name, fixtureFile(`rerankers/${folder}/${name}`)]));
  const config = { ...json(`${folder}/config.json`), ...change };
  files['config.json'] = new TextEncoder().encode(JSON.stringify(config));
  const weights = files['model.safetensors'];
  const length = Number(new DataView(weights.buffer, weights.byteOffset).getBigUint64(0, true));
  const header = JSON.stringify(rewriteHeader(JSON.parse(new TextDecoder().decode(weights.subarray(8, 8 + length)))));
  if (header.length > length) throw new Error('the header has no room');
  weights.set(new TextEncoder().encode(header.padEnd(length)), 8);
  return files;
}
const renamed = (from, to) => (header) =>
  Object.fromEntries(Object.entries(header).map(([name, info]) => [name === from ? to : name, info]));

test('the activation of scores comes from config.json, and is the sigmoid by default', async () => {
  const logit = await (await named('bert')).score(query, texts[0]);
  const sigmoid = 1 / (1 + Math.exp(-logit));
  const scoreWith = async (change) => (await load(changed(change))).score(query, texts[0]);
  const none = { sentence_transformers: undefined };
  expect(await scoreWith(none)).toBeCloseTo(sigmoid, 6);
  expect(
    await scoreWith({ sentence_transformers: { activation_fn: 'torch.nn.modules.activation.Sigmoid' } }),
  ).toBeCloseTo(sigmoid, 6);
  expect(await scoreWith({ ...none, sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity' })).toBe(
    logit,
  );
  const newest = changed(none);
  newest['config_sentence_transformers.json'] = new TextEncoder().encode(
    '{"activation_fn": "torch.nn.modules.linear.Identity"}',
  );
  expect(await (await load(newest)).score(query, texts[0])).toBe(logit);
});

test.each([
  ['two labels', { id2label: { 0: 'NO', 1: 'YES' } }, '2 labels; a reranker has 1'],
  ['another class', { architectures: ['BertModel'] }, 'BertModel'],
  [
    'another activation',
    { sentence_transformers: { activation_fn: 'torch.nn.modules.activation.Tanh' } },
    'activation.Tanh',
  ],
  ['a decoder of another kind', { model_type: 'gpt2' }, 'gpt2'],
])('a folder with %s is UNSUPPORTED', async (_what, change, part) => {
  const error = await failureOf(Reranker.load(changed(change)));
  expect(error.code).toBe('UNSUPPORTED');
  expect(error.message).toContain(part);
});

test('classifier_pooling of ModernBERT is cls or mean', async () => {
  const [mean, cls] = [
    await named('modernbert'),
    await load(changed({ classifier_pooling: 'cls' }, undefined, 'modernbert')),
  ];
  const [{ ids }] = cases.find(({ model }) => model === 'modernbert').pairs;
  expect(Math.abs((await mean.scoreIds(ids)) - (await cls.scoreIds(ids)))).toBeGreaterThan(0.01);
  expect((await failureOf(Reranker.load(changed({ classifier_pooling: 'max' }, undefined, 'modernbert')))).code).toBe(
    'UNSUPPORTED',
  );
});

test.each([
  ['classifier', renamed('classifier.weight', 'classifier.wrong'), 'missing', 'classifier.weight'],
  [
    'first layer of its head',
    renamed('bert.pooler.dense.weight', 'bert.pooler.dense.wrong'),
    'missing',
    'pooler.dense.weight',
  ],
  ['bias', renamed('classifier.bias', 'classifier.bia'), 'missing', 'classifier.bias'],
])('a folder without the %s is rejected', async (_what, rewrite, reason, tensor) => {
  const error = await failureOf(Reranker.load(changed({}, rewrite)));
  expect(error).toMatchObject({ code: 'FORMAT', reason, tensor });
});

test('a classifier of the wrong shape is rejected', async () => {
  const turned = (header) => ({ ...header, 'classifier.weight': { ...header['classifier.weight'], shape: [64, 1] } });
  const error = await failureOf(Reranker.load(changed({}, turned)));
  expect(error).toMatchObject({ code: 'FORMAT', reason: 'mismatch', tensor: 'classifier.weight' });
  expect(error.message).toContain('expected [1, 64]');
});

test('rerankers and embedders are distinguished', async () => {
  expect((await failureOf(Embedder.load(fixturePath('rerankers/xlmr.gguf')))).message).toContain('Reranker');
  expect(await failureOf(Reranker.load(fixturePath('encoders/bert-cls.gguf')))).toMatchObject({ code: 'UNSUPPORTED' });
  expect(await failureOf(Reranker.load(fixturePath('embd/f32.weights')))).toMatchObject({ code: 'UNSUPPORTED' });
});

test('wrong input is INPUT and leaves the reranker usable', async () => {
  const reranker = await named('bert');
  const right = await reranker.score(query, 'a');
  for (const call of [
    () => reranker.scoreIds([]),
    () => reranker.scoreIds([256]),
    () => reranker.scoreIds(new Array(97).fill(5)),
    () => reranker.scoreIds([2, 3], [0]),
    () => reranker.scoreIds([2, 3], [0, 2]),
    () => reranker.scoreIds([2, 3], [0, 256]),
    () => reranker.score(query, [1]),
    () => reranker.score(query, 'a', { maxLength: 2 }),
    () => reranker.score(query, 'a', { maxLength: 97 }),
    () => reranker.rank(query, ['a'], { topK: 0 }),
  ]) {
    expect((await failureOf(call())).code).toBe('INPUT');
  }
  expect(await reranker.score(query, 'a')).toBe(right);
});

test('runs in a worker, reports progress, aborts and closes', async () => {
  const reranker = await Reranker.load(fixturePath('rerankers/bert'), { worker: true });
  expect(reranker.info).toMatchObject({ architecture: 'bert', runtime: { worker: true } });
  const list = new Array(600).fill('the tea');
  const done = [];
  await reranker.score(query, list, { onProgress: (...what) => done.push(what) });
  expect(done.at(-1)).toEqual([600, 600]);
  expect(done.length).toBeGreaterThan(1);
  expect((await failureOf(reranker.score(query, list, { signal: AbortSignal.abort() }))).code).toBe('ABORTED');
  reranker.close();
  expect((await failureOf(reranker.score(query, 'a'))).code).toBe('CLOSED');
});
