// Texts to search for, and the formula of their scores.
import { SearchIndex } from 'quintet';

export const axis = (i, dimension = 4) => Float32Array.from({ length: dimension }, (_, j) => (i === j ? 1 : 0));

/** Texts under the ids 0, 1, ..., as payloads, too. */
export function indexOf(texts, options = {}) {
  const index = new SearchIndex({ dimension: 4, ...options });
  texts.forEach((text, i) => index.add({ id: String(i), vector: axis(i % 4), text, payload: { text } }));
  return index;
}

/**
 * The formula, in the plainest way: k1 = 1.2, b = 0.75, and Lucene's inverse document frequency. `documents` are lists
 * of words by id; empty ones are not documents.
 */
export function bm25(documents, query) {
  const all = Object.entries(documents).filter(([, words]) => words.length > 0);
  const average = all.reduce((sum, [, words]) => sum + words.length, 0) / all.length;
  const scores = all.map(([id, words]) => {
    const score = query.reduce((sum, word) => {
      const containing = all.filter(([, other]) => other.includes(word)).length;
      const frequency = words.filter((other) => other === word).length;
      const weight = Math.log(1 + (all.length - containing + 0.5) / (containing + 0.5));
      return sum + (weight * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * words.length) / average));
    }, 0);
    return { id, score };
  });
  return scores.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.id - b.id);
}

export function expectScores(hits, expected) {
  expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  hits.forEach(({ score }, i) => expect(Math.abs(score / expected[i].score - 1)).toBeLessThan(1e-12));
}

export const texts = [
  'the cat sat on the mat',
  'The DOG, the dog; the dog!',
  'cats and dogs',
  '',
  'a cat and a dog on a mat',
  'nothing to see here',
];
export const split = (text) => text.toLowerCase().match(/[a-z]+/g) ?? [];
export const documentsOf = (all) => Object.fromEntries(all.map((text, i) => [i, split(text)]));
