// Entities compared with a plain port of transformers' TokenClassificationPipeline, and windows of long texts.

import { afterAll, expect, test } from '@jest/globals';
import { TokenClassifier } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { labelFolder } from './label_folders.mjs';
import { entitiesAsTransformers } from './token_classification_pipeline.mjs';

const loaded = [];
afterAll(() => loaded.forEach((model) => model.close()));

async function load(folder, options) {
  const model = await TokenClassifier.load(labelFolder(folder, { labels: tags, perToken: true }), options);
  loaded.push(model);
  return model;
}

const tags = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC', 'MISC'];
const texts = [
  'the tea in 1999, and toast',
  'N I O a t e; it is in the SEA \u{1f600} or not',
  'café  \u6771\u4eac tea\n\nhat e\u0301 \u{1f469}\u200d\u{1f52c}',
  'a',
  '',
  '   ',
];
const aggregations = ['none', 'simple', 'first', 'average', 'max'];

describe.each(['bert', 'xlmr', 'deberta'])('%s', (folder) => {
  let model;
  beforeAll(async () => {
    model = await load(folder);
  });

  test.each(aggregations)('%s', async (aggregation) => {
    let found = 0;
    for (const text of texts) {
      const expected = await entitiesAsTransformers(folder, model, text, aggregation);
      const entities = await model.classify(text, { aggregation });
      expect(entities.map(({ label, start, end }) => [label, start, end])).toEqual(
        expected.map(({ label, start, end }) => [label, start, end]),
      );
      entities.forEach(({ score, start, end, text: slice }, i) => {
        expect(score).toBeCloseTo(expected[i].score, 5);
        expect(slice).toBe(text.slice(start, end));
      });
      found += entities.length;
    }
    expect(found).toBeGreaterThan(3);
  });
});

test('simple is the default', async () => {
  const model = await load('bert');
  expect(await model.classify(texts[0])).toEqual(await model.classify(texts[0], { aggregation: 'simple' }));
});

test('a text has the same entities in a longer window', async () => {
  const model = await load('bert');
  expect(await model.classify(texts[0], { maxLength: 96 })).toEqual(await model.classify(texts[0], { maxLength: 40 }));
});

// Each token gets the logits of the window in which it is further inside.
test('a long text is read in windows that overlap', async () => {
  const model = await load('bert');
  const words = Array.from({ length: 150 }, (_, i) => ['tea', 'the', 'sea', 'in', 'a'][(i * i) % 5]);
  const text = words.join(' ');
  const whole = await entitiesAsTransformers('bert', model, text, 'none', 34);
  expect(await model.classify(text, { aggregation: 'none', maxLength: 34 })).toEqual(
    whole.map(({ label, score, start, end }) => ({
      label,
      score: expect.closeTo(score, 5),
      start,
      end,
      text: text.slice(start, end),
    })),
  );
  const everywhere = await model.classify(text, { aggregation: 'none' });
  expect(everywhere.at(-1).end).toBeGreaterThan(text.length / 2);
});

test('wrong input is INPUT', async () => {
  const model = await load('bert');
  for (const call of [
    () => model.classify(1),
    () => model.classify(['a']),
    () => model.classify('a', { aggregation: 'best' }),
    () => model.classify('a', { maxLength: 2 }),
    () => model.classify('a', { maxLength: 97 }),
    () => model.logitsIds([256]),
  ]) {
    expect((await failureOf(call())).code).toBe('INPUT');
  }
});

test('runs in a worker, aborts and closes', async () => {
  const files = labelFolder('bert', { labels: tags, perToken: true });
  const model = await TokenClassifier.load(files, { worker: true });
  expect(await model.classify(texts[0])).toEqual(await (await load('bert')).classify(texts[0]));
  expect((await failureOf(model.classify('a', { signal: AbortSignal.abort() }))).code).toBe('ABORTED');
  model.close();
  expect((await failureOf(model.classify('a'))).code).toBe('CLOSED');
});
