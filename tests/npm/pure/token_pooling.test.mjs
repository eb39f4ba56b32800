// Vectors of tokens that are pooled, with clusters as SciPy 1.10.1 finds them:
//   fcluster(linkage((1 - x @ x.T)[triu_indices(len(x), 1)], 'ward'), len(x) // factor, 'maxclust')
// numbered by their first members, for x without its first row.
import { importSource } from '../helpers/source.mjs';

const { pooledTokens } = await importSource('search/vectors/token_pooling.ts');

/** `count` vectors of length 1, from a linear congruential generator. */
function unitRows(count, dimension, seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return Array.from({ length: count }, () => {
    const row = Array.from({ length: dimension }, next);
    return row.map((value) => value / Math.hypot(...row));
  });
}

const meanOf = (rows) => rows[0].map((_, d) => rows.reduce((sum, row) => sum + row[d], 0) / rows.length);

const clustersOfSciPy = [
  [8, 5, 2, [0, 1, 2, 1, 3, 3, 4, 5, 6, 7, 0, 6, 6, 8, 9, 10, 7, 9, 4, 11, 5, 12, 8, 13, 4, 8, 5, 2, 6, 14]],
  [
    4,
    11,
    3,
    [
      0, 1, 2, 1, 3, 4, 5, 6, 1, 5, 6, 0, 4, 7, 8, 9, 0, 9, 3, 1, 5, 6, 1, 10, 0, 2, 11, 2, 6, 12, 8, 11, 2, 12, 2, 7,
      11, 2, 4,
    ],
  ],
  [
    16,
    9,
    4,
    [
      0, 1, 2, 3, 4, 4, 3, 2, 0, 5, 6, 1, 4, 7, 8, 7, 9, 4, 6, 10, 8, 5, 1, 10, 11, 12, 4, 8, 2, 2, 11, 1, 4, 9, 2, 11,
      0, 12, 12, 7, 8, 4, 6, 0, 5, 0, 11, 7, 2, 13, 3, 5, 5, 13, 13, 8, 9, 4, 10,
    ],
  ],
];

test.each(clustersOfSciPy)(
  '%i values, seed %i, factor %i: the means of the clusters',
  (dimension, seed, factor, clusters) => {
    const [first, ...rows] = unitRows(clusters.length + 1, dimension, seed);
    const count = Math.max(...clusters) + 1;
    const means = Array.from({ length: count }, (_, i) => meanOf(rows.filter((_, row) => clusters[row] === i)));
    const pooled = pooledTokens(Float32Array.from([first, ...rows].flat()), dimension, factor);
    expect(pooled).toHaveLength((1 + count) * dimension);
    [first, ...means].flat().forEach((value, i) => expect(pooled[i]).toBeCloseTo(value, 6));
  },
);

test('few vectors', () => {
  expect(pooledTokens(new Float32Array(), 2, 4)).toEqual(new Float32Array());
  expect(pooledTokens(Float32Array.of(1, 0), 2, 4)).toEqual(Float32Array.of(1, 0));
  expect(pooledTokens(Float32Array.of(1, 0, 0, 1), 2, 4)).toEqual(Float32Array.of(1, 0, 0, 1));
  expect(pooledTokens(Float32Array.of(1, 0, 0, 1, 1, 0), 2, 4)).toEqual(Float32Array.of(1, 0, 0.5, 0.5));
});

test('equal vectors share one, and many are pooled in parts of 1,024', () => {
  const rows = Array.from({ length: 1500 }, (_, i) => (i % 2 === 0 ? [1, 0] : [0, 1]));
  const pooled = pooledTokens(Float32Array.from(rows.flat()), 2, 64);
  expect(pooled).toHaveLength(2 * (1 + 1024 / 64 + Math.floor(475 / 64)));
  expect(new Set(pooled)).toEqual(new Set([0, 1]));
});
