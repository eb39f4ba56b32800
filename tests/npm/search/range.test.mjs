// Scores of vectors at the ends of float32's range against float64, in which products of float32 are exact and always
// fit.
import { SearchIndex } from 'quintet';
import { run } from '../helpers/program.mjs';

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const largest = (2 - 2 ** -23) * 2 ** 127;
const smallest = 2 ** -149;

/** Rows and a query. */
const cases = {
  'large, cancelling': [
    [
      [3e38, 3e38],
      [1, 0],
      [-1, 0],
    ],
    [3e38, -3e38],
  ],
  large: [
    [
      [1e20, 0],
      [2e20, 0],
      [3e20, 0],
      [-1e20, 0],
    ],
    [1e20, 0],
  ],
  largest: [
    [
      [largest, largest],
      [largest, -largest],
      [-largest, -largest],
    ],
    [largest, largest],
  ],
  tiny: [[[1e-25], [2e-25], [-1e-25]], [1e-25]],
  smallest: [[[smallest], [2 * smallest], [-smallest], [0]], [smallest]],
  subnormal: [
    [
      [1e-40, 2e-40],
      [3e-40, -1e-40],
      [-1e-39, 1e-39],
      [60 * smallest, 178 * smallest],
    ],
    [2e-40, 3e-40],
  ],
  'tiny among ordinary ones': [
    [
      [1, 0],
      [1e-30, 0],
      [2e-30, 0],
      [-1e-30, 0],
      [0, 1],
    ],
    [1e-15, 0],
  ],
  'large among ordinary ones': [
    [
      [0.6, 0.8],
      [1e38, -1e38],
      [1e-38, 1],
      [0.8, 0.6],
    ],
    [0.6, 0.8],
  ],
  'tiny against large': [
    [
      [smallest, 0],
      [3 * smallest, 0],
      [-smallest, 1e-44],
    ],
    [largest, 0],
  ],
};

const padded = (vector, dimension) => Float32Array.from({ length: dimension }, (_, i) => vector[i] ?? 0);

/** Best first, equal ones in order. */
const ranked = (rows, query) =>
  rows.map((row, i) => ({ id: String(i), score: dot(row, query) })).sort((a, b) => b.score - a.score || a.id - b.id);

function indexOf(rows, options) {
  const index = new SearchIndex({ dimension: rows[0].length, ...options });
  rows.forEach((row, i) => index.add({ id: String(i), vector: row, payload: String(i) }));
  return index;
}

const withoutPayloads = (hits) => hits.map(({ id, score }) => ({ id, score }));

describe.each(Object.entries(cases))('%s', (_, [rows, query]) => {
  test.each([0, 7, 98])('f32 gives the scores of float64, with %d elements more', async (more) => {
    const dimension = query.length + more;
    const [given, asked] = [rows.map((row) => padded(row, dimension)), padded(query, dimension)];
    const expected = ranked(given, asked);
    const index = indexOf(given);
    expect(withoutPayloads(index.nearest(asked))).toEqual(expected);
    expect(withoutPayloads(index.nearest(asked, { k: 1 }))).toEqual(expected.slice(0, 1));
    const filter = (payload) => payload !== '0';
    expect(withoutPayloads(index.nearest(asked, { filter }))).toEqual(expected.filter(({ id }) => id !== '0'));
    const loaded = await SearchIndex.load(await index.save());
    expect(withoutPayloads(loaded.nearest(asked))).toEqual(expected);
    // Found by no word, so the ranks are those of the vectors.
    const fused = await index.search('none', { vector: asked, mode: 'hybrid' });
    expect(fused).toEqual(expected.map(({ id }, i) => ({ id, score: 1 / (61 + i), payload: id })));
  });

  test.each(['int8', 'binary'])('%s stays within the rounding of its values', (storage) => {
    const [given, asked] = [rows.map((row) => padded(row, query.length)), padded(query, query.length)];
    const most = (vector) => Math.max(...vector.map(Math.abs));
    // Each value is off by half a step, of which there are 127; steps are floats themselves.
    const off = (vector) => Math.max(most(vector) / 252, most(vector) < 2 ** -140 ? smallest / 2 : 0);
    for (const { id, score } of indexOf(given, { storage }).nearest(asked)) {
      const row = given[id];
      const bound = query.length * (off(row) * most(asked) + most(row) * off(asked) + off(row) * off(asked));
      expect(Math.abs(score - dot(row, asked))).toBeLessThanOrEqual(bound);
    }
  });
});

test('vectors of all magnitudes are ranked as in float64', () => {
  let state = 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  const vector = (size) => Float32Array.from({ length: 24 }, () => next() * size);
  const rows = Array.from({ length: 2000 }, (_, i) => vector(2 ** ((i % 250) - 124)));
  const index = indexOf(rows);
  for (const size of [2 ** -120, 2 ** -60, 1, 2 ** 60, 2 ** 126]) {
    const query = vector(size);
    const hits = index.nearest(query, { k: 2000 });
    const expected = ranked(rows, query);
    hits.forEach(({ score }, rank) => expect(Math.abs(score / expected[rank].score - 1)).toBeLessThan(1e-9));
  }
});

test.each([
  ['with threads', 3],
  ['without WebAssembly', 1],
])('%s the scores are the same bits', async (what, threads) => {
  const found = await run(`
    ${what === 'without WebAssembly' ? 'delete globalThis.WebAssembly;' : ''}
    const { SearchIndex } = await import('quintet');
    const answers = {};
    for (const [name, [rows, query]] of Object.entries(${JSON.stringify(cases)})) {
      const empty = await new SearchIndex({ dimension: query.length }).save();
      const index = await SearchIndex.load(empty, { threads: ${threads} });
      if (index.threads !== ${threads}) throw new Error('threads: ' + index.threads);
      rows.forEach((row, i) => index.add({ id: String(i), vector: Float32Array.from(row) }));
      answers[name] = index.nearest(Float32Array.from(query));
      index.close();
    }
    console.log(JSON.stringify(answers));`);
  for (const [name, [rows, query]] of Object.entries(cases)) {
    expect([name, found[name]]).toEqual([
      name,
      JSON.parse(
        JSON.stringify(
          ranked(
            rows.map((row) => Float32Array.from(row)),
            Float32Array.from(query),
          ),
        ),
      ),
    ]);
  }
});
