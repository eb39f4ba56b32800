// A session's KV cache as a stream, of a model whose cache takes some megabytes; and the memory that files take.
import { capabilities, TextGenerator } from 'quintet';
import { failureOf } from '../../helpers/expectations.mjs';
import { threads } from '../../helpers/generator_fixtures.mjs';
import { tinyGenerator } from '../../helpers/models/tiny_generator.mjs';
import { run } from '../../helpers/program.mjs';
import { collect, streamOf } from '../../helpers/streams.mjs';

const sizes = { width: 128, layers: 4, positions: 640 };
const ids = Array.from({ length: 600 }, (_, i) => (7 * i * i) % 32);
const mebibyte = 2 ** 20;

describe.each(threads)('%s', (_, worker) => {
  let generator;
  let session;
  beforeAll(async () => {
    generator = await TextGenerator.load(await tinyGenerator(32, {}, sizes), { worker });
    session = generator.createSession();
    await session.generate(ids, { temperature: 0, maxTokens: 1 }).finished;
    session.rewind(ids.length);
  });
  afterAll(() => generator.close());

  test('its pieces form the file, whatever the session does meanwhile', async () => {
    const whole = await session.saveCache();
    expect(whole.length).toBeGreaterThan(2 * mebibyte);
    const fork = session.fork();
    const stream = fork.cacheStream();
    const pieces = [];
    for await (const piece of stream) {
      pieces.push(piece);
      await fork.generate([1, 2, 3], { temperature: 0, maxTokens: 1 }).finished;
    }
    fork.close();
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(mebibyte);
    expect(Buffer.compare(Buffer.concat(pieces), whole)).toBe(0);
  });

  test('two streams at once, one of them into another session', async () => {
    const other = generator.createSession();
    const [file] = await Promise.all([
      collect(session.cacheStream({ compression: 'INT4', groupSize: 32 })),
      other.loadCache(session.cacheStream()),
    ]);
    expect([...other.tokens]).toEqual(ids);
    expect(await other.saveCache({ compression: 'INT4', groupSize: 32 })).toEqual(file);
    other.close();
  });

  test("large pieces and small ones load alike, and stay the caller's", async () => {
    const whole = await session.saveCache({ dtype: 'F16' });
    const copy = whole.slice();
    const other = generator.createSession();
    for (const source of [streamOf(whole, whole.length), streamOf(whole, 65_537), [whole]]) {
      other.rewind(0);
      await other.loadCache(Array.isArray(source) ? oneByOne(source) : source);
      expect([...other.tokens]).toEqual(ids);
    }
    expect(Buffer.compare(whole, copy)).toBe(0);
    other.close();
  });

  test('an abort ends it', async () => {
    const controller = new AbortController();
    const reader = session.cacheStream(controller).getReader();
    expect((await reader.read()).value.length).toBeGreaterThan(0);
    controller.abort();
    expect(await failureOf(reader.read())).toMatchObject({ code: 'ABORTED' });
    expect(await session.logits()).toHaveLength(32);
  });
});

async function* oneByOne(pieces) {
  yield* pieces;
}

describe('memory', () => {
  let generator;
  let session;
  const live = () => capabilities().memory.liveObjects;
  beforeAll(async () => {
    generator = await TextGenerator.load(await tinyGenerator(32, {}, sizes));
    session = generator.createSession();
    await session.generate(ids, { temperature: 0, maxTokens: 1 }).finished;
  });
  afterAll(() => generator.close());

  test('saving and loading a hundred times needs no more of it than a few times', async () => {
    const other = generator.createSession();
    const broken = (await session.saveCache()).subarray(0, -1);
    const cycle = async (times) => {
      for (let i = 0; i < times; ++i) {
        await other.loadCache(await session.saveCache());
        await other.loadCache(session.cacheStream());
        await failureOf(other.loadCache(broken));
        await session.cacheStream().cancel();
      }
      return capabilities().memory;
    };
    const few = await cycle(3);
    expect(await cycle(100)).toEqual(few);
    other.close();
  });

  test('a stream that is canceled, aborted or read to its end is freed', async () => {
    const before = live();
    const controller = new AbortController();
    const cancelled = session.cacheStream().getReader();
    const aborted = session.cacheStream(controller).getReader();
    const whole = session.cacheStream().getReader();
    for (const reader of [cancelled, aborted, whole]) await reader.read();
    expect(live()).toBe(before + 3);
    await cancelled.cancel();
    expect(live()).toBe(before + 2);
    controller.abort();
    expect(live()).toBe(before + 1);
    while (!(await whole.read()).done);
    expect(live()).toBe(before);
  });

  test('closing a session ends its streams', async () => {
    const before = live();
    const fork = session.fork();
    const reader = fork.cacheStream().getReader();
    await reader.read();
    expect(live()).toBe(before + 2);
    fork.close();
    expect(live()).toBe(before);
    expect(await failureOf(reader.read())).toMatchObject({ code: 'CLOSED' });
  });

  test('a stream without references is freed, and keeps its session until then', async () => {
    const { alive, text, left } = await run(
      `import { capabilities, TextGenerator } from 'quintet';
       import { storyteller } from ${JSON.stringify(new URL('../../../../models/index.js', import.meta.url).href)};
       const live = () => capabilities().memory.liveObjects;
       const collected = async (done) => {
         for (let i = 0; i < 200 && !done(); ++i) {
           globalThis.gc();
           await new Promise(setImmediate);
         }
       };
       const generator = await TextGenerator.load(storyteller);
       const before = live();
       const held = {};
       const open = async () => {
         const session = generator.createSession();
         await session.generate('Once', { maxTokens: 2 }).finished;
         held.reader = session.cacheStream().getReader();
       };
       const read = async () => (await held.reader.read()).value.length;
       await open();
       await collected(() => false);
       const first = await read();
       const alive = live() - before;
       delete held.reader;
       await collected(() => live() === before);
       console.log(JSON.stringify({ alive, text: first > 0, left: live() - before }));`,
      { flags: ['--expose-gc'] },
    );
    expect({ alive, text, left }).toEqual({ alive: 2, text: true, left: 0 });
  });

  test('a stream that nobody reads does not keep the process alive', async () => {
    const length = await run(
      `import { TextGenerator } from 'quintet';
       import { storyteller } from ${JSON.stringify(new URL('../../../../models/index.js', import.meta.url).href)};
       const generator = await TextGenerator.load(storyteller, { worker: true });
       const session = generator.createSession();
       await session.generate('Once', { maxTokens: 2 }).finished;
       const stream = session.cacheStream();
       await stream.getReader().read();
       globalThis.stream = stream;
       console.log(JSON.stringify(session.length));`,
    );
    expect(length).toBeGreaterThan(2);
  });
});
