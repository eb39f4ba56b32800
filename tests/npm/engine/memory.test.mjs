// Memory is given back: by closing, by the garbage collector, after failures.
import { capabilities, Embedder } from 'quintet';
import { base, pathOf, texts } from '../helpers/embedder_fixtures.mjs';
import { expectNothingLives, expectSteadyMemory, liveObjectsOf } from '../helpers/freed_models.mjs';
import { run } from '../helpers/program.mjs';

const model = JSON.stringify(pathOf(base));

test('loading and closing a hundred times needs no more memory than a few times', () =>
  expectSteadyMemory(async () => {
    const embedder = await Embedder.load(pathOf(base));
    await embedder.embed(texts.slice(0, 4));
    embedder.close();
  }));

test('two models at once, closed in any order', async () => {
  const [first, second] = await Promise.all([Embedder.load(pathOf(base)), Embedder.load(pathOf(base))]);
  expect(capabilities().memory.liveObjects).toBeGreaterThanOrEqual(2);
  const running = second.embed(texts);
  first.close();
  expect(await running).toHaveLength(texts.length);
  second.close();
  expect(capabilities().memory.liveObjects).toBe(0);
});

test('closing in the middle of a call frees the model', async () => {
  const embedder = await Embedder.load(pathOf(base));
  const running = embedder.embed(Array.from({ length: 5000 }, () => texts[0]));
  const closed = new Promise((resolve) => {
    setImmediate(() => {
      embedder.close();
      resolve();
    });
  });
  await expect(running).rejects.toMatchObject({ code: 'CLOSED' });
  await closed;
  await expectNothingLives();
});

test('a model without references is freed', async () => {
  const live = await liveObjectsOf(
    'Embedder',
    `await (async () => { await (await Embedder.load(${model})).embed('a'); })();`,
  );
  expect(live).toEqual([1, 0]);
});

test.each([false, true])('a model that is not closed does not keep the process alive (worker: %s)', async (worker) => {
  const answer = await run(
    `import { Embedder } from 'quintet';
     const embedder = await Embedder.load(${model}, { worker: ${worker} });
     const { length } = await embedder.embed('a');
     console.log(JSON.stringify([length, embedder.info.runtime.worker]));`,
  );
  expect(answer).toEqual([32, worker]);
});

test('importing starts nothing', async () => {
  const before = await run(
    `import { capabilities } from 'quintet';
     const { memory, runtime = null } = capabilities();
     console.log(JSON.stringify([memory, runtime]));`,
  );
  expect(before).toEqual([{ heapBytes: 0, liveObjects: 0 }, null]);
});
