// Results of independent code with the bundled models.
import { readFileSync } from 'node:fs';
import { root } from './packed.mjs';

const fixture = (path) => readFileSync(`${root}tests/fixtures/${path}`, 'utf8');

// Texts with vectors, in float64 (tests/fixtures/embedder).
export const model = `${root}models/embedder-int8.weights`;
export const cases = JSON.parse(fixture('embedder/golden.json')).cases.slice(0, 5);
export const texts = cases.map(({ text }) => text);

/** The smallest cosine between `vectors` and those of the golden cases; all have length 1. */
export function worstCosine(vectors) {
  const cosines = cases.map(({ embedding }, i) => embedding.reduce((sum, x, j) => sum + x * vectors[i][j], 0));
  return Math.min(...cosines);
}

/** The text of llama2.c's own program. */
const story = fixture('storyteller/expected_greedy_200.txt');

/** Checks the answers of the jobs in site/jobs.js. */
export const expectRight = {
  embed: ({ vectors }) => expect(worstCosine(vectors)).toBeGreaterThanOrEqual(0.99),
  generate({ text }) {
    expect(text.length).toBeGreaterThan(60);
    expect(story.startsWith(text)).toBe(true);
  },
  classify: ({ label }) => expect(label).toBe('Egyptian cat'),
  convert: ({ tensors }) => expect(tensors).toBeGreaterThan(10),
};
