// The results of models and their tokens, compared with independent code on the fixtures.
import { distance, failureOf } from '../helpers/expectations.mjs';
import { argmax, idsOf, logSoftmax, runCases, tokenizerCases, withGenerator } from '../helpers/generator_fixtures.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';

describe.each(runCases)('$path', ({ path, ids, rows, tolerance, greedy, greedyGap, perplexity }) => {
  test('logits, greedy tokens and perplexity', () =>
    withGenerator(fixturePath(path), {}, async (generator) => {
      const all = await generator.logits(ids, { all: true });
      expect(distance(all, Float32Array.from(rows.flatMap((values) => [...values])))).toBeLessThanOrEqual(tolerance);
      for (const length of [1, ids.length]) {
        const last = await generator.logits(ids.slice(0, length));
        expect(distance(last, rows[length - 1])).toBeLessThanOrEqual(tolerance);
      }
      const chosen = await idsOf(generator.generate(ids, { temperature: 0, maxTokens: greedy.length }));
      if (greedyGap > 2 * tolerance) expect(chosen).toEqual(greedy);
      expect(chosen).toHaveLength(greedy.length);
      for (const [i, id] of chosen.entries()) {
        expect(argmax(await generator.logits([...ids, ...chosen.slice(0, i)]))).toBe(id);
      }
      const scored = await generator.perplexity(ids);
      expect(scored.tokens).toBe(ids.length - 1);
      expect(Math.abs(Math.log(scored.perplexity / perplexity))).toBeLessThanOrEqual(tolerance + 1e-4);
      // The tolerance of quantized models is wide: what the logits make of it is exact.
      const before = (position) => all.subarray((position - 1) * rows[0].length, position * rows[0].length);
      const surprise = ids.slice(1).reduce((sum, id, i) => sum - logSoftmax(before(i + 1))[id], 0) / (ids.length - 1);
      expect(Math.log(scored.perplexity)).toBeCloseTo(surprise, 4);
    }));
});

describe.each(tokenizerCases.filter(({ hasModel }) => hasModel))('$path', ({ path, texts }) => {
  test('texts become ids, and ids become texts', () =>
    withGenerator(fixturePath(path), {}, async (generator) => {
      for (const { text, ids, decoded } of texts) {
        expect([...(await generator.tokenize(text, { addBos: false }))]).toEqual(ids);
        expect(await generator.countTokens(text, { addBos: false })).toBe(ids.length);
        if (decoded !== undefined) expect(await generator.detokenize(ids)).toBe(decoded);
        expect(await generator.tokenTexts(ids)).toHaveLength(ids.length);
      }
    }));
});

const [first] = runCases;
const withText = 'amb/mistral-window.amb';

test('a worker computes the same', () =>
  withGenerator(fixtureFile(first.path), { worker: true }, async (generator) => {
    expect(generator.info.runtime.worker).toBe(true);
    expect(distance(await generator.logits(first.ids), first.rows.at(-1))).toBeLessThanOrEqual(first.tolerance);
    expect(await idsOf(generator.generate(first.ids, { temperature: 0, maxTokens: 8 }))).toEqual(first.greedy);
  }));

test('the begin token is added if the model wants it', () =>
  withGenerator(fixturePath(withText), {}, async (generator) => {
    const [bos, ...ids] = await generator.tokenize('Hello, world!');
    expect([bos, ids]).toEqual([1, [...(await generator.tokenize('Hello, world!', { addBos: false }))]]);
    expect([...(await generator.tokenize('</s>', { addBos: false, parseSpecial: true }))]).toEqual([2]);
    expect([...(await generator.tokenize('</s>', { addBos: false }))]).not.toContain(2);
  }));

test('a text longer than the context is scored in parts', () =>
  withGenerator(fixturePath(first.path), { contextLength: 4 }, async (generator) => {
    const progress = [];
    const scored = await generator.perplexity(first.ids, { onProgress: (...counts) => progress.push(counts) });
    const parts = [0, 4, 8].map((at) => first.ids.slice(at, at + 4));
    const sums = await Promise.all(
      parts.map(async (ids) => (ids.length - 1) * Math.log((await generator.perplexity(ids)).perplexity)),
    );
    const tokens = parts.reduce((sum, ids) => sum + ids.length - 1, 0);
    expect(scored.tokens).toBe(tokens);
    expect(Math.log(scored.perplexity)).toBeCloseTo(sums.reduce((a, b) => a + b) / tokens, 5);
    expect(progress.at(-1)).toEqual([first.ids.length, first.ids.length]);
  }));

test.each([
  ['no ids', (generator) => generator.logits([]), 'missing'],
  ['an id outside the vocabulary', (generator) => generator.logits([1, 1e6]), 'out_of_range'],
  ['a negative id', (generator) => generator.logits([-1]), 'out_of_range'],
  ['text for ids', (generator) => generator.logits('1,2'), 'wrong_type'],
  ['more ids than the context holds', (generator) => generator.logits(Array(5000).fill(1)), 'limit'],
  ['the perplexity of one token', (generator) => generator.perplexity([1]), 'missing'],
  ['an unknown option of perplexity', (generator) => generator.perplexity([1, 2], { a: 1 }), 'unknown_option'],
  ['an unknown option of logits', (generator) => generator.logits([1], { a: 1 }), 'unknown_option'],
  ['an unknown option of tokenize', (generator) => generator.tokenize('a', { a: 1 }), 'unknown_option'],
  ['a number for text', (generator) => generator.tokenize(1), 'wrong_type'],
  ['ids outside the vocabulary for text', (generator) => generator.detokenize([1e6]), 'out_of_range'],
])('%s', (_, call, reason) =>
  withGenerator(fixturePath(withText), {}, async (generator) => {
    expect(await failureOf(call(generator))).toMatchObject({ code: 'INPUT', reason });
    expect(await generator.logits([1])).toHaveLength(generator.info.tokenizer.size);
  }),
);

test('without a tokenizer there is no text', () =>
  withGenerator(fixturePath(first.path), {}, async (generator) => {
    expect(generator.info.tokenizer).toBeNull();
    expect((await failureOf(generator.tokenize('a'))).code).toBe('UNSUPPORTED');
    expect((await failureOf(generator.generate('a').text())).code).toBe('UNSUPPORTED');
  }));
