// Searches with several threads: the answers of one thread.
import { SearchIndex } from 'quintet';
import { run } from '../helpers/program.mjs';

const dimension = 40;
const count = 7000;
let state = 1;
const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
const vectorOf = () => Float32Array.from({ length: dimension }, next);

describe.each(['f32', 'int8', 'binary'])('%s', (storage) => {
  let alone;
  let saved;
  let queries;
  beforeAll(async () => {
    alone = new SearchIndex({ dimension, storage });
    for (let i = 0; i < count; ++i) alone.add({ id: `id ${i}`, vector: vectorOf(), payload: i });
    for (let i = 0; i < count; i += 17) alone.remove(`id ${i}`);
    saved = await alone.save();
    queries = Array.from({ length: 5 }, vectorOf);
  });

  test.each([2, 3, 'auto'])('%s threads answer as one', async (threads) => {
    const index = await SearchIndex.load(saved, { threads });
    if (threads !== 'auto') expect(index.threads).toBe(threads);
    const expected = await SearchIndex.load(saved);
    for (const size of [20, 300]) {
      const filter = (payload) => payload % 3 !== 0;
      for (const query of queries) {
        expect(index.nearest(query, { k: size })).toEqual(expected.nearest(query, { k: size }));
        expect(index.nearest(query, { k: size, filter })).toEqual(expected.nearest(query, { k: size, filter }));
      }
      // Entries that come and go while there are threads.
      for (const each of [index, expected]) {
        for (let i = 0; i < 5000; ++i)
          each.add({
            id: `more ${i}`,
            vector: queries[i % 5].map((x, j) => x + (j === i % dimension ? i * 1e-4 : 0)),
            payload: i,
          });
        for (let i = 1; i < 500; ++i) each.remove(`id ${i}`);
      }
    }
    index.close();
  });

  test('threads that start while there are entries', async () => {
    const index = new SearchIndex({ dimension, storage, threads: 2 });
    const expected = new SearchIndex({ dimension, storage });
    for (let i = 0; index.threads < 2; ++i) {
      const vector = vectorOf();
      for (const each of [index, expected]) each.add({ id: String(i), vector, payload: i });
      if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (i % 500 === 0) expect(index.nearest(queries[0])).toEqual(expected.nearest(queries[0]));
    }
    expect(index.nearest(queries[1], { k: 100 })).toEqual(expected.nearest(queries[1], { k: 100 }));
    index.close();
  });
});

test('a filter that throws ends the search, and the next one is right', async () => {
  const index = new SearchIndex({ dimension, storage: 'int8' });
  for (let i = 0; i < count; ++i) index.add({ id: String(i), vector: vectorOf(), payload: i });
  const threaded = await SearchIndex.load(await index.save(), { threads: 2 });
  const thrown = new Error('not this one');
  for (let i = 0; i < 20; ++i) {
    const query = vectorOf();
    const filter = (payload) => {
      if (payload > 100 * i) throw thrown;
      return true;
    };
    expect(() => threaded.nearest(query, { filter, k: count })).toThrow(thrown);
    expect(threaded.nearest(query)).toEqual(index.nearest(query));
  }
  threaded.close();
});

test('threads do not keep a program alive, and without shared memory one thread searches', async () => {
  const program = (before) => `
    ${before}
    const { SearchIndex } = await import('quintet');
    const index = new SearchIndex({ dimension: 2, storage: 'int8' });
    index.add({ id: 'a', vector: Float32Array.of(1, 0) });
    index.add({ id: 'b', vector: Float32Array.of(0, 1) });
    const loaded = await SearchIndex.load(await index.save(), { threads: 2 });
    console.log(JSON.stringify([loaded.threads, loaded.nearest(Float32Array.of(0, 1), { k: 1 })[0].id]));`;
  expect(await run(program(''))).toEqual([2, 'b']);
  expect(await run(program('delete globalThis.SharedArrayBuffer;'))).toEqual([1, 'b']);
});

test.each([0, 65, 1.5, 'many'])('%p threads are rejected', (threads) => {
  expect(() => new SearchIndex({ dimension, threads })).toThrow(
    expect.objectContaining({ code: 'INPUT', reason: 'out_of_range' }),
  );
});
