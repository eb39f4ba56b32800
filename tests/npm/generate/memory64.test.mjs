// 64-bit memory: the same numbers as in 32-bit memory, and models beyond 4 GB; what is said where the engine has none.
import { capabilities, Embedder, ImageClassifier, TextGenerator } from 'quintet';
import { classifier } from '../../../models/index.js';
import { base, pathOf } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { story, withGenerator } from '../helpers/generator_fixtures.mjs';
import { largeAmb } from '../helpers/models/large_amb.mjs';
import { run } from '../helpers/program.mjs';

test('is for text generators only', async () => {
  const refusal = { code: 'UNSUPPORTED', message: "load: option 'memory64' is for TextGenerator" };
  expect(await failureOf(Embedder.load(pathOf(base), { memory64: true }))).toMatchObject(refusal);
  expect(await failureOf(ImageClassifier.load(classifier, { memory64: true }))).toMatchObject(refusal);
  (await Embedder.load(pathOf(base), { memory64: 'auto' })).close();
});

test('a model that fits is loaded into 32-bit memory', () =>
  withGenerator(story, {}, async ({ info }) => expect(info.runtime.memory64).toBe(false)));

test.each([
  ["it is disabled by 'memory64: false'", { memory64: false }],
  capabilities().memory64
    ? ['it supports one thread, not 2', { threads: 2 }]
    : ['this engine has no 64-bit memory', {}],
])('a model beyond 4 GB is rejected before its weights are read: %s', async (obstacle, options) => {
  const failure = await failureOf(TextGenerator.load(largeAmb().chunks, options));
  expect(failure).toMatchObject({ code: 'MEMORY', reason: 'out_of_memory' });
  expect(failure.message).toMatch(/^needs 43\d{8} bytes .* are available; models beyond 4 GB need 64-bit memory: /);
  expect(failure.message).toContain(obstacle);
});

if (capabilities().memory64) {
  const ids = [1, 403, 407, 261, 378];

  test.each([false, true])('the same bits as in 32-bit memory (worker: %s)', async (worker) => {
    const answer = (options) =>
      withGenerator(story, { worker, variant: 'relaxed', ...options }, async (generator) => {
        const text = await generator.generate('Once upon a time', { temperature: 0, maxTokens: 60 }).text();
        const seeded = await generator.generate('The dragon', { seed: 5, maxTokens: 60 }).text();
        const session = generator.createSession();
        await session.generate('Tom', { temperature: 0, maxTokens: 3 }).finished;
        const cache = await session.saveCache();
        const { perplexity } = await generator.perplexity('Lily and Tom went to the park.');
        const { memory64, threads, kernels } = generator.info.runtime;
        return {
          numbers: { text, seeded, cache, perplexity, logits: await generator.logits(ids) },
          memory64,
          threads,
          kernels,
        };
      });
    const wide = await answer({ memory64: true });
    const usual = await answer({ memory64: false });
    expect(wide).toMatchObject({ memory64: true, threads: 1, kernels: 'relaxed' });
    expect(usual).toMatchObject({ memory64: false });
    expect(wide.numbers).toEqual(usual.numbers);
  });

  test('unsupported options', async () => {
    const refused = (options) => failureOf(TextGenerator.load(story, { memory64: true, ...options }));
    expect(await refused({ variant: 'baseline' })).toMatchObject({ code: 'UNSUPPORTED' });
    expect(await refused({ threads: 2 })).toMatchObject({ code: 'UNSUPPORTED' });
  });

  test('loading and closing leaves nothing behind', () => {
    const cycle = async (times) => {
      for (let i = 0; i < times; ++i) {
        await withGenerator(story, { memory64: true }, (generator) => generator.logits(ids));
      }
      return capabilities().memory;
    };
    return cycle(3).then(async (few) => expect(await cycle(10)).toEqual(few));
  });

  test('a model beyond 4 GB, from a stream', async () => {
    // A separate process, whose memory is given back with its end.
    const { runtime, weights, worst, largest, stages, inOrder, live } = await run(`
      import { capabilities, TextGenerator } from 'quintet';
      import { expectedLogits, largeResponse, vocabulary } from './tests/npm/helpers/models/large_amb.mjs';

      const events = [];
      const model = await TextGenerator.load(largeResponse(), { onProgress: (event) => events.push(event) });
      let worst = 0;
      let largest = 0;
      for (const id of [7, vocabulary - 3]) {
        const logits = await model.logits([id]);
        const expected = expectedLogits(id);
        for (let i = 0; i < vocabulary; ++i) {
          worst = Math.max(worst, Math.abs(logits[i] - expected[i]));
          largest = Math.max(largest, Math.abs(expected[i]));
        }
      }
      const { runtime, memory } = model.info;
      model.close();
      const loaded = events.filter(({ stage }) => stage === 'download').map((event) => event.loaded);
      console.log(JSON.stringify({
        runtime,
        weights: memory.weights,
        worst,
        largest,
        stages: [...new Set(events.map(({ stage }) => stage))],
        inOrder: loaded[0] === 0 && loaded.every((bytes, i) => i === 0 || bytes >= loaded[i - 1]),
        live: capabilities().memory.liveObjects,
      }));
    `);
    expect(runtime).toMatchObject({ memory64: true, threads: 1, variant: 'relaxed' });
    expect(weights).toBeGreaterThan(2 ** 32);
    expect(largest).toBeGreaterThan(10);
    expect(worst).toBeLessThan(1e-5 * largest);
    expect({ stages, inOrder, live }).toEqual({ stages: ['compile', 'download', 'prepare'], inOrder: true, live: 0 });
  });
} else {
  test('calls that ask for it are rejected', async () => {
    expect(await failureOf(TextGenerator.load(story, { memory64: true }))).toMatchObject({
      code: 'UNSUPPORTED',
      message: 'this engine has no 64-bit memory',
    });
  });
}
