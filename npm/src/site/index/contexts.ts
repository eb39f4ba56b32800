// Adapts the vectors of words to a site: a word also gets meaning from its context. A model has not seen a site's own
// names, and the usual meaning of `lock` or `vacuum` is not that of a database's manual. Words that occur in the same
// passages get nearer to one another, as in latent semantic analysis (Deerwester et al. 1990), and texts without a word
// of the query are found by their others.

import { ByteVectors, lengthOfVector, normalize } from './byte_vectors.js';
import type { PassageWords } from './passage_words.js';

/** Length of the part that comes from a word's passages, relative to its own vector. */
const contextShare = 2;

/** The vectors of `words`, fitted to `passages`. */
export function fittedTo(passages: PassageWords, words: ByteVectors): ByteVectors {
  const { dimension } = words;
  const contexts = new Float32Array(words.size * dimension);
  for (let passage = 0; passage < passages.size; ++passage) {
    const vector = vectorOf(passages, passage, words);
    for (const row of passages.of(passage).rows) addAt(contexts, row * dimension, vector);
  }
  const fitted = new ByteVectors(dimension);
  for (let row = 0; row < words.size; ++row) {
    const vector = words.vector(row);
    const context = normalize(contexts.subarray(row * dimension, (row + 1) * dimension));
    const factor = contextShare * lengthOfVector(vector);
    fitted.push(vector.map((value, i) => value + factor * context[i]!));
  }
  return fitted;
}

function addAt(sums: Float32Array, first: number, vector: Float32Array): void {
  for (let i = 0, at = first; i < vector.length; ++i, ++at) sums[at]! += vector[i]!;
}

/** The sum of a passage's words, of length one; zeros if none of them is known. */
export function vectorOf(passages: PassageWords, passage: number, words: ByteVectors): Float32Array {
  const vector = new Float32Array(words.dimension);
  const { rows, weights } = passages.of(passage);
  words.addAllTo(vector, rows, weights);
  return normalize(vector);
}
