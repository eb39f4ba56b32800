// Calls on one object: their order, aborts, closing, streams.
import { getEventListeners } from 'node:events';
import { Embedder, QuintetError } from 'quintet';
import { base, baseRows, expectRows, pathOf, texts } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { run } from '../helpers/program.mjs';

const many = Array.from({ length: 20_000 }, (_, i) => texts[i % texts.length]);
/** One text that takes as long as many. */
const long = 'the quick brown fox jumps over the lazy dog. '.repeat(20_000);

/** Milliseconds of all threads of this process. */
async function processorTime(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe.each([
  ['in this thread', false],
  ['in a worker', true],
])('%s', (_, worker) => {
  let embedder;
  beforeEach(async () => {
    embedder = await Embedder.load(pathOf(base), { worker });
  });
  afterEach(() => embedder.close());
  const expectUsable = async () => expectRows(await embedder.embed(texts.slice(0, 2)), baseRows.slice(0, 2));

  test('they run one after another in the order in which they were made', async () => {
    const finished = [];
    const calls = [many.slice(0, 600), texts.slice(0, 1), texts.slice(1, 3)].map(async (list, i) => {
      const rows = await embedder.embed(list);
      finished.push(i);
      expectRows(
        rows.slice(0, 3),
        list.slice(0, 3).map((text) => baseRows[texts.indexOf(text)]),
      );
    });
    calls.push(embedder.countTokens(texts[0]).then(() => finished.push('count')));
    await Promise.all(calls);
    expect(finished).toEqual([0, 1, 2, 'count']);
  });

  test('the list may change while the call waits', async () => {
    const list = texts.slice(0, 2);
    const call = embedder.embed(list);
    list.fill('other');
    expectRows(await call, baseRows.slice(0, 2));
  });

  test('an abort ends the call that runs, and the next one continues', async () => {
    const controller = new AbortController();
    const reason = new Error('never mind');
    const call = embedder.embed(many, { signal: controller.signal, onProgress: () => controller.abort(reason) });
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(QuintetError);
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: reason });
    await expectUsable();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  // The text needs one call to the model. The test measures processor time, which does not depend on other work.
  test('an abort ends the computation, not only the call', async () => {
    const options = { truncate: 'chunk' };
    const whole = await processorTime(() => embedder.embed(long, options));
    const controller = new AbortController();
    const aborted = await processorTime(async () => {
      const call = embedder.embed(long, { ...options, signal: controller.signal });
      setImmediate(() => controller.abort());
      expect((await failureOf(call)).code).toBe('ABORTED');
      // Its turn comes when nothing is computed any more.
      await expectUsable();
    });
    expect(aborted).toBeLessThan(whole / 3);
  });

  test('a call that waits can be aborted without touching the one that runs', async () => {
    const controller = new AbortController();
    const running = embedder.embed(many.slice(0, 600));
    const waiting = embedder.embed(texts, { signal: controller.signal });
    controller.abort();
    expect((await failureOf(waiting)).code).toBe('ABORTED');
    expect(await running).toHaveLength(600);
  });

  test('errors thrown by a callback reject the call', async () => {
    const thrown = new Error('no more');
    const onProgress = () => {
      throw thrown;
    };
    await expect(embedder.embed(texts, { onProgress })).rejects.toBe(thrown);
    await expectUsable();
  });

  test('closing ends running, waiting and later calls', async () => {
    const calls = [embedder.embed(many), embedder.countTokens('a'), embedder.embedStream(texts).next()];
    embedder.close();
    embedder.close();
    calls.push(embedder.embed('a'), embedder.tokenize('a'), embedder.embedStream(['a']).next());
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'CLOSED', reason: 'closed' });
  });

  test('streams read at most one batch ahead, and close the source when they stop', async () => {
    let taken = 0;
    let returned = false;
    async function* source() {
      try {
        for (const text of many) {
          ++taken;
          yield text;
        }
      } finally {
        returned = true;
      }
    }
    const vectors = [];
    for await (const vector of embedder.embedStream(source())) {
      vectors.push(vector);
      expect(taken).toBeLessThanOrEqual(vectors.length + 64);
      if (vectors.length === 100) break;
    }
    expect(vectors).toHaveLength(100);
    expectRows(
      vectors,
      vectors.map((_, i) => baseRows[i % texts.length]),
    );
    expect(returned).toBe(true);
  });

  test('a stream does not wait for more than it has', async () => {
    let more;
    async function* source() {
      yield texts[0];
      await new Promise((resolve) => (more = resolve));
      yield texts[1];
    }
    const stream = embedder.embedStream(source());
    expectRows([(await stream.next()).value], baseRows.slice(0, 1));
    more();
    expectRows([(await stream.next()).value], baseRows.slice(1, 2));
    expect((await stream.next()).done).toBe(true);
  });

  test('other calls get through while a stream is open', async () => {
    const vectors = [];
    for await (const vector of embedder.embedStream(texts.slice(0, 3))) {
      vectors.push(vector);
      expect(await embedder.embed('a')).toHaveLength(vector.length);
    }
    expectRows(vectors, baseRows.slice(0, 3));
  });

  test('a stream can be aborted while its source hangs', async () => {
    const controller = new AbortController();
    const hanging = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
    const call = embedder.embedStream(hanging, { signal: controller.signal }).next();
    controller.abort();
    expect((await failureOf(call)).code).toBe('ABORTED');
    await expectUsable();
  });

  test('errors thrown by the source of a stream reach the caller', async () => {
    const thrown = new Error('no more texts');
    const source = (function* () {
      yield texts[0];
      throw thrown;
    })();
    await expect(embedder.embedStream(source).next()).rejects.toBe(thrown);
    await expectUsable();
  });
});

test('a worker that ends by itself ends its calls', async () => {
  const errors = await run(`
    import workers from 'node:worker_threads';
    import { syncBuiltinESMExports } from 'node:module';
    let worker;
    const { Worker } = workers;
    workers.Worker = class extends Worker {
      constructor(...args) {
        super(...args);
        // The messages of its threads come later.
        worker ??= this;
      }
    };
    syncBuiltinESMExports();
    const { Embedder } = await import('quintet');
    const embedder = await Embedder.load(${JSON.stringify(pathOf(base))}, { worker: true });
    const calls = [embedder.embed(Array(20000).fill('the dog')), embedder.tokenize('a')];
    await worker.terminate();
    const settled = await Promise.allSettled(calls);
    settled.push(...(await Promise.allSettled([embedder.tokenize('a')])));
    console.log(JSON.stringify(settled.map(({ reason }) => [reason?.name, reason?.code, reason?.reason])));`);
  expect(errors).toEqual(Array(3).fill(['QuintetError', 'INTERNAL', 'worker']));
});

test('without a worker the event loop keeps turning during a long call', async () => {
  const embedder = await Embedder.load(pathOf(base));
  let turns = 0;
  let isOver = false;
  const count = () => {
    ++turns;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const milliseconds = await processorTime(() => embedder.embed(long, { truncate: 'chunk' }));
  isOver = true;
  embedder.close();
  expect(milliseconds).toBeGreaterThan(100);
  expect(turns).toBeGreaterThan(milliseconds / 100);
});

test('a class for `using`', async () => {
  const embedder = await Embedder.load(pathOf(base));
  embedder[Symbol.dispose]();
  expect((await failureOf(embedder.embed('a'))).code).toBe('CLOSED');
  const other = await Embedder.load(pathOf(base));
  await other[Symbol.asyncDispose]();
  expect((await failureOf(other.embed('a'))).code).toBe('CLOSED');
});
