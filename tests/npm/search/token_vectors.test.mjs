// Indexes of vectors of tokens and of sparse vectors, compared with sums in plain code.

import { describe, expect, test } from '@jest/globals';
import { Embedder, SearchIndex } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const dimension = 24;

/** Numbers between -1 and 1 that depend on a seed. */
function randoms(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function unitRows(count, next) {
  const rows = new Float32Array(count * dimension);
  for (let i = 0; i < count; ++i) {
    const row = Array.from({ length: dimension }, next);
    const length = Math.hypot(...row);
    rows.set(
      row.map((value) => value / length),
      i * dimension,
    );
  }
  return rows;
}

function maxSim(query, document) {
  let sum = 0;
  for (let i = 0; i < query.length; i += dimension) {
    let best = -Infinity;
    for (let j = 0; j < document.length; j += dimension) {
      let dot = 0;
      for (let d = 0; d < dimension; ++d) dot += query[i + d] * document[j + d];
      best = Math.max(best, dot);
    }
    sum += best;
  }
  return sum;
}

const next = randoms(7);
const documents = Array.from({ length: 400 }, (_, i) => unitRows(1 + (i % 17), next));
const query = unitRows(8, next);
const expected = documents
  .map((tokens, id) => ({ id, score: maxSim(query, tokens) }))
  .toSorted((a, b) => b.score - a.score);

function indexOf(storage) {
  const index = new SearchIndex({ dimension, vectors: 'multi', storage });
  documents.forEach((tokens, id) => index.add({ id, tokens, text: `word${id}`, payload: { id } }));
  return index;
}

const options = { vector: query, mode: 'vector', k: 10 };

describe('vectors of tokens', () => {
  test('entries are ranked by MaxSim, up to the rounding of int8', async () => {
    const hits = await indexOf('int8').search('', options);
    hits.forEach(({ id, score }, i) => {
      expect(Math.abs(score - maxSim(query, documents[id]))).toBeLessThan(0.08);
      expect(Math.abs(score - expected[i].score)).toBeLessThan(0.08);
    });
  });

  test('signs choose candidates, whose scores are those of int8', async () => {
    const exact = await indexOf('int8').search('', { ...options, k: 400 });
    const scores = new Map(exact.map(({ id, score }) => [id, score]));
    const hits = await indexOf('binary').search('', options);
    expect(hits).toHaveLength(10);
    for (const { id, score } of hits) expect(score).toBeCloseTo(scores.get(id), 10);
    expect(hits.filter(({ id }) => exact.slice(0, 10).some((hit) => hit.id === id)).length).toBeGreaterThanOrEqual(9);
    // All entries are candidates, those in two blocks of memory too.
    const all = await indexOf('binary').search('', { ...options, k: 400 });
    expect(all).toEqual(exact);
  });

  test('entries are replaced, removed and filtered', async () => {
    const index = indexOf('int8');
    const [{ id: first }, { id: second }] = await index.search('', options);
    index.remove(first);
    expect((await index.search('', options))[0].id).toBe(second);
    index.add({ id: second, tokens: unitRows(40, randoms(3)).map((value) => -value / 100) });
    expect((await index.search('', options)).map(({ id }) => id)).not.toContain(second);
    index.add({ id: 'exact', tokens: query });
    const [best] = await index.search('', { ...options, filter: (payload) => payload === undefined });
    expect(best.id).toBe('exact');
    expect(best.score).toBeCloseTo(8, 1);
  });

  test('keywords are fused with MaxSim', async () => {
    const hits = await indexOf('int8').search('word399', { vector: query, k: 2 });
    expect(hits.map(({ id }) => id)).toContain(399);
  });

  test('an index is saved and loaded', async () => {
    const index = indexOf('binary');
    index.add({ id: 'words', text: 'only words' });
    const copy = await SearchIndex.load(await index.save());
    expect(await copy.search('', options)).toEqual(await index.search('', options));
    expect(copy.get(5)).toEqual(index.get(5));
    expect(copy.get('words')).toEqual({ id: 'words', text: 'only words' });
    expect(await copy.save()).toEqual(await index.save());
    expect((await failureOf(() => SearchIndex.merge([new Uint8Array()]))).code).toBe('FORMAT');
  });

  test('with poolFactor, entries keep fewer vectors, also those added to a saved index', async () => {
    const index = new SearchIndex({ dimension, vectors: 'multi', storage: 'int8', poolFactor: 2 });
    const tokens = unitRows(9, randoms(3));
    index.add({ id: 1, tokens });
    const copy = await SearchIndex.load(await index.save());
    copy.add({ id: 2, tokens });
    await copy.search('', options);
    for (const id of [1, 2]) expect(copy.get(id).tokens).toHaveLength((1 + 4) * dimension);
    expect(copy.get(2).tokens).toEqual(copy.get(1).tokens);
    expect((await failureOf(async () => new SearchIndex({ dimension, poolFactor: 2 }))).code).toBe('INPUT');
  });

  test('an entry returns its vectors as they are stored', () => {
    const { tokens } = indexOf('int8').get(5);
    expect(Math.max(...Array.from(tokens, (value, i) => Math.abs(value - documents[5][i])))).toBeLessThan(0.01);
  });
});

describe('sparse vectors', () => {
  const sparse = (entries) => ({
    indices: Int32Array.from(Object.keys(entries), Number),
    values: Float32Array.from(Object.values(entries)),
  });
  const index = () => {
    const made = new SearchIndex({ dimension: 100, vectors: 'sparse', keywords: false });
    made.add({ id: 'a', sparse: sparse({ 3: 1, 7: 0.5 }) });
    made.add({ id: 'b', sparse: sparse({ 7: 2 }) });
    made.add({ id: 'c', sparse: sparse({ 99: 4 }) });
    return made;
  };
  const embedder = (query) => ({
    dimension: 100,
    vectors: 'sparse',
    embedQuery: async () => {},
    embedDocuments: async () => {},
    embedSparse: async (texts) => texts.map((text) => query[text]),
  });

  test('entries are ranked by the dot product, those without a common token left out', async () => {
    const made = new SearchIndex({
      embedder: embedder({
        q: sparse({ 3: 2, 7: 1 }),
        a: sparse({ 3: 1, 7: 0.5 }),
        b: sparse({ 7: 2 }),
        c: sparse({ 99: 4 }),
      }),
      keywords: false,
    });
    await made.addTexts(['a', 'b', 'c'].map((id) => ({ id, text: id })));
    expect((await made.search('q')).map(({ id, score }) => [id, score])).toEqual([
      ['a', 2.5],
      ['b', 2],
    ]);
    made.remove('a');
    made.add({ id: 'b', sparse: sparse({ 3: 1 }) });
    expect((await made.search('q')).map(({ id, score }) => [id, score])).toEqual([['b', 2]]);
  });

  test('mismatched vectors are rejected', async () => {
    const made = index();
    const code = async (call) => (await failureOf(async () => call())).code;
    expect(await code(() => made.add({ id: 'd', vector: new Float32Array(100) }))).toBe('INPUT');
    expect(
      await code(() => made.add({ id: 'd', sparse: { indices: Int32Array.of(5, 5), values: Float32Array.of(1, 1) } })),
    ).toBe('INPUT');
    expect(await code(() => made.add({ id: 'd', sparse: sparse({ 100: 1 }) }))).toBe('INPUT');
    expect(await code(() => made.nearest(new Float32Array(100)))).toBe('UNSUPPORTED');
    expect(await code(() => new SearchIndex({ embedder: embedder({}), dimension: 99 }))).toBe('INPUT');
    const multi = new SearchIndex({ dimension, vectors: 'multi' });
    expect(await code(() => multi.add({ id: 1, tokens: new Float32Array(dimension + 1) }))).toBe('INPUT');
  });
});

test('models of both kinds find texts', async () => {
  for (const name of ['colbert-bert', 'splade-idf']) {
    const embedder = await Embedder.load(fixturePath(`token_vectors/${name}`));
    const index = new SearchIndex({ embedder, keywords: false });
    const texts = ['a red house', 'the old cat', 'some green tea'];
    await index.addTexts(texts.map((text, id) => ({ id, text })));
    const hits = await index.search('the old cat');
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    const copy = await SearchIndex.load(await index.save(), { embedder });
    expect(await copy.search('the old cat')).toEqual(hits);
    const other = await Embedder.load(fixturePath('token_vectors/colbert-modernbert'));
    expect((await failureOf(async () => SearchIndex.load(await index.save(), { embedder: other }))).code).toBe('INPUT');
    for (const each of [index, copy, embedder, other]) each.close();
  }
});

test('an entry that is removed or replaced at once keeps nothing of its first vectors', async () => {
  const index = new SearchIndex({ dimension, vectors: 'multi' });
  const { id: best } = expected[0];
  documents.forEach((tokens, id) => index.add({ id, tokens }));
  const { id: second } = expected[1];
  index.remove(best);
  index.add({ id: best, text: 'a word' });
  index.add({ id: second, tokens: documents[expected.at(-1).id] });
  expect(index.get(best)).toEqual({ id: best, text: 'a word' });
  const found = await index.search('', { vector: query, mode: 'vector', k: documents.length });
  expect(found.map(({ id }) => id)).not.toContain(best);
  expect(found.slice(-2).map(({ id }) => id)).toContain(second);
});
