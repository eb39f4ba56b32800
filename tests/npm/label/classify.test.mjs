// Scores of TextClassifier, as transformers' pipelines compute them from logits, and its options.

import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers';
import { afterAll, expect, test } from '@jest/globals';
import { TextClassifier } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { labelFolder } from './label_folders.mjs';

const loaded = [];
afterAll(() => loaded.forEach((model) => model.close()));

async function load(files, options) {
  const model = await TextClassifier.load(files, options);
  loaded.push(model);
  return model;
}

const labels = ['sad', 'glad', 'neither'];
const folder = (config = {}) => labelFolder('bert', { labels, config });
const parsed = (files, name) => JSON.parse(new TextDecoder().decode(files[name]));
const tokenizer = new HuggingFaceTokenizer(
  parsed(folder(), 'tokenizer.json'),
  parsed(folder(), 'tokenizer_config.json'),
);
const text = 'the tea in 1999';

function softmax(values) {
  const powers = values.map((value) => Math.exp(value));
  return powers.map((power) => power / powers.reduce((a, b) => a + b, 0));
}
const sigmoid = (values) => values.map((value) => 1 / (1 + Math.exp(-value)));
const sorted = (names, scores) =>
  names.map((label, i) => ({ label, score: scores[i] })).sort((a, b) => b.score - a.score);
function expectLabels(actual, expected) {
  expect(actual.map(({ label }) => label)).toEqual(expected.map(({ label }) => label));
  actual.forEach(({ score }, i) => expect(score).toBeCloseTo(expected[i].score, 6));
}

test.each([
  ['softmax without a type', {}, softmax],
  ['softmax', { problem_type: 'single_label_classification' }, softmax],
  ['sigmoid', { problem_type: 'multi_label_classification' }, sigmoid],
  ['the logits', { problem_type: 'regression' }, (values) => values],
])('scores are %s', async (_what, config, scoresOf) => {
  const model = await load(folder(config));
  const logits = Array.from(await model.logitsIds(tokenizer.encode(text).ids));
  const expected = sorted(labels, scoresOf(logits));
  expectLabels(await model.classify(text), expected);
  expectLabels(await model.classify(text, { topK: 2 }), expected.slice(0, 2));
});

test('one label without a type is a probability', async () => {
  const model = await load(labelFolder('bert', { labels: ['toxic'] }));
  const [logit] = await model.logitsIds(tokenizer.encode(text).ids);
  expectLabels(await model.classify(text), [{ label: 'toxic', score: sigmoid([logit])[0] }]);
});

test('a list gives the same bits as each text alone', async () => {
  const model = await load(folder());
  const texts = Array.from({ length: 300 }, (_, i) => `${'the tea '.repeat(i % 20)}${i}`);
  const done = [];
  const lists = await model.classify(texts, { onProgress: (...what) => done.push(what) });
  for (const i of [0, 19, 299]) expect(lists[i]).toEqual(await model.classify(texts[i]));
  expect(done.at(-1)).toEqual([300, 300]);
  expect(done.length).toBeGreaterThan(1);
  expect(await model.classify([])).toEqual([]);
});

test('a pair has the token types of its parts', async () => {
  const model = await load(folder());
  const { ids, token_type_ids: types } = tokenizer.encode('the tea', {
    text_pair: 'a hat',
    return_token_type_ids: true,
  });
  const expected = sorted(labels, softmax(Array.from(await model.logitsIds(ids, types))));
  expectLabels(await model.classify({ text: 'the tea', pair: 'a hat' }), expected);
  expectLabels((await model.classify(['a', { text: 'the tea', pair: 'a hat' }]))[1], expected);
});

test('a long text is cut at its end, a pair at the end of the first text', async () => {
  const model = await load(folder());
  const long = 'n i o a t e '.repeat(60);
  const [cls, sep] = [2, 3];
  const plain = (value) => tokenizer.encode(value).ids.slice(1, -1);
  const told = [];
  const onTruncate = (...what) => told.push(what);
  const [short, cut] = await model.classify(['a', long], { onTruncate });
  expectLabels(short, await model.classify('a'));
  const ids = [cls, ...plain(long).slice(0, model.maxLength - 2), sep];
  expectLabels(cut, sorted(labels, softmax(Array.from(await model.logitsIds(ids)))));
  expect(told).toEqual([[1, plain(long).length + 2]]);
  const pair = plain('a hat');
  const first = plain(long).slice(0, 20 - pair.length - 3);
  const types = [0, ...first.map(() => 0), 0, ...pair.map(() => 1), 1];
  const logits = await model.logitsIds([cls, ...first, sep, ...pair, sep], types);
  expectLabels(
    await model.classify({ text: long, pair: 'a hat' }, { maxLength: 20 }),
    sorted(labels, softmax(Array.from(logits))),
  );
});

// transformers, pipelines/zero_shot_classification.py.
describe('labels of the caller', () => {
  const own = ['tea', 'hats', 'the sea'];
  const nli = ['entailment', 'neutral', 'contradiction'];
  const hypotheses = (template) => own.map((label) => template.replace('{}', label));
  let model;
  beforeAll(async () => {
    model = await load(labelFolder('bert', { labels: nli }));
  });
  async function logitsOf(template) {
    const all = [];
    for (const pair of hypotheses(template)) {
      const { ids, token_type_ids: types } = tokenizer.encode(text, { text_pair: pair, return_token_type_ids: true });
      all.push(Array.from(await model.logitsIds(ids, types)));
    }
    return all;
  }

  test('have entailment probabilities that add up to 1', async () => {
    const logits = await logitsOf('This example is {}.');
    const expected = sorted(own, softmax(logits.map(([entailment]) => entailment)));
    expectLabels(await model.classify(text, { labels: own }), expected);
    const [first] = await model.classify([text, 'a'], { labels: own, topK: 1 });
    expectLabels(first, expected.slice(0, 1));
  });

  test('are independent with multiLabel, and if there is only one', async () => {
    const template = 'It is about {}';
    const logits = await logitsOf(template);
    const scores = logits.map(([entailment, , contradiction]) => softmax([contradiction, entailment])[1]);
    expectLabels(await model.classify(text, { labels: own, template, multiLabel: true }), sorted(own, scores));
    expectLabels(await model.classify(text, { labels: own.slice(0, 1), template }), [
      { label: own[0], score: scores[0] },
    ]);
  });

  test('contradiction is the first label if entailment is not', async () => {
    const turned = await load(labelFolder('bert', { labels: ['CONTRADICTION', 'NEUTRAL', 'ENTAILMENT'] }));
    const { ids, token_type_ids: types } = tokenizer.encode(text, {
      text_pair: 'It is tea',
      return_token_type_ids: true,
    });
    const [contradiction, , entailment] = await turned.logitsIds(ids, types);
    const [{ score }] = await turned.classify(text, { labels: ['tea'], template: 'It is {}' });
    expect(score).toBeCloseTo(softmax([contradiction, entailment])[1], 6);
  });

  test('need a model for entailment, and a template with a placeholder', async () => {
    const other = await load(folder());
    const failure = await failureOf(other.classify(text, { labels: own }));
    expect(failure).toMatchObject({ code: 'UNSUPPORTED' });
    expect(failure.message).toContain('sad, glad, neither');
    for (const call of [
      () => model.classify(text, { labels: own, template: 'no place' }),
      () => model.classify(text, { labels: [] }),
      () => model.classify(text, { labels: [1] }),
      () => model.classify(text, { template: '{}' }),
      () => model.classify(text, { multiLabel: true }),
      () => model.classify({ text, pair: 'a' }, { labels: own }),
    ]) {
      expect(await failureOf(call())).toMatchObject({ code: 'INPUT' });
    }
  });
});

test('wrong input is INPUT and leaves the classifier usable', async () => {
  const model = await load(folder());
  const right = await model.classify(text);
  for (const call of [
    () => model.logitsIds([]),
    () => model.logitsIds([256]),
    () => model.logitsIds([2, 3], [0]),
    () => model.logitsIds([2, 3], [0, 2]),
    () => model.classify(1),
    () => model.classify([1]),
    () => model.classify({ text }),
    () => model.classify(text, { maxLength: 2 }),
    () => model.classify(text, { maxLength: 97 }),
    () => model.classify(text, { topK: 0 }),
    () => model.classify(text, { unknown: 1 }),
  ]) {
    expect((await failureOf(call())).code).toBe('INPUT');
  }
  expect(await model.classify(text)).toEqual(right);
});

test('runs in a worker, aborts and closes', async () => {
  const model = await TextClassifier.load(folder(), { worker: true });
  expect(model.info).toMatchObject({ architecture: 'bert', runtime: { worker: true } });
  const here = await (await load(folder())).classify(text);
  expect(await model.classify(text)).toEqual(here);
  const aborted = { signal: AbortSignal.abort() };
  expect((await failureOf(model.classify(text, aborted))).code).toBe('ABORTED');
  model.close();
  expect((await failureOf(model.classify(text))).code).toBe('CLOSED');
});
