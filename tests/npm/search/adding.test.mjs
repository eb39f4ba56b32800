// addTexts: rejected input, long texts, and its end.
import { Embedder, SearchIndex } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { dot, entries, prompts, source } from './prompted_model.mjs';

let model;
beforeAll(async () => {
  model = await Embedder.load(source);
});
afterAll(() => model.close());

test('texts are checked before any of their batch is added', async () => {
  const index = new SearchIndex({ embedder: model });
  await index.addTexts([{ id: 1, text: 'known' }]);
  const wrong = [
    [{ id: 1, text: 'known', zz: 1 }, "no option 'zz'"],
    [{ id: 3, text: 'a', vector: new Float32Array(model.dimension) }, "no option 'vector'"],
    [{ id: {}, text: 'a' }, 'an id must be'],
    [{ id: 3, text: 5 }, 'must be a string'],
  ];
  for (const [entry, message] of wrong)
    expect(await failureOf(index.addTexts([{ id: 2, text: 'before' }, entry]))).toMatchObject({
      code: 'INPUT',
      message: expect.stringContaining(message),
    });
  expect(index.ids()).toEqual([1]);
  expect(await failureOf(index.addTexts([], { truncate: 'start' }))).toMatchObject({ code: 'INPUT' });
  index.close();
  expect(await failureOf(index.addTexts([]))).toMatchObject({ code: 'CLOSED' });
  expect(() => index.ids()).toThrow(expect.objectContaining({ code: 'CLOSED' }));
});

test('texts that are too long are cut, reported, rejected or averaged, as for embed', async () => {
  const long = { id: 'long', text: 'the cat sat on the mat '.repeat(100) };
  const told = [];
  for (const truncate of ['end', 'chunk']) {
    const index = new SearchIndex({ embedder: model });
    const onTruncate = (at, tokens) => told.push([truncate, at, tokens > model.maxLength]);
    await index.addTexts([...entries.slice(0, 2), long], { truncate, onTruncate });
    const [vector] = await model.embed([prompts.passage + long.text], { prompt: '', truncate: 'end' });
    const [whole] = await model.embedDocuments([long.text], { truncate });
    const kept = index.get('long').vector;
    expect(dot(kept, whole)).toBeGreaterThan(0.99999);
    if (truncate === 'end') expect(dot(kept, vector)).toBeGreaterThan(0.99999);
  }
  expect(told).toEqual([['end', 2, true]]);
  const index = new SearchIndex({ embedder: model });
  expect(await failureOf(index.addTexts([long], { truncate: 'error' }))).toMatchObject({ reason: 'too_long' });
});

test("with the caller's embedder, too few vectors are an error, and an abort does not wait for it", async () => {
  const own = (embedDocuments) => ({ dimension: 4, embedQuery: () => new Promise(() => {}), embedDocuments });
  const none = new SearchIndex({ embedder: own(async () => []) });
  expect(await failureOf(none.addTexts([{ id: 1, text: 'a' }]))).toMatchObject({
    code: 'INPUT',
    message: 'the embedder returned 0 vectors for 1 texts',
  });
  const endless = new SearchIndex({
    embedder: own(() => new Promise(() => {})),
    reranker: { rank: () => new Promise(() => {}) },
  });
  endless.add({ id: 1, vector: Float32Array.of(1, 0, 0, 0), text: 'a' });
  const aborted = (call) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    return failureOf(call(controller.signal));
  };
  const calls = [
    (signal) => endless.addTexts([{ id: 2, text: 'b' }], { signal }),
    (signal) => endless.search('a', { signal }),
    (signal) => endless.search('a', { mode: 'keyword', rerank: true, signal }),
  ];
  for (const call of calls) expect(await aborted(call)).toMatchObject({ name: 'AbortError' });
});
