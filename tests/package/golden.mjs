// Texts with vectors that independent code computed in float64 (tests/fixtures/embedder), for the bundled model.
import { readFileSync } from 'node:fs';
import { root } from './packed.mjs';

export const model = `${root}models/embedder-int8.weights`;
export const cases = JSON.parse(readFileSync(`${root}tests/fixtures/embedder/golden.json`, 'utf8')).cases.slice(0, 5);
export const texts = cases.map(({ text }) => text);

/** The smallest cosine between `vectors` and those of the golden cases; all have length 1. */
export function worstCosine(vectors) {
  const cosines = cases.map(({ embedding }, i) => embedding.reduce((sum, x, j) => sum + x * vectors[i][j], 0));
  return Math.min(...cosines);
}
