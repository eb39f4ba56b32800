// The similarity of an image and texts, as a model was trained to compute it.

import { inputError } from '../base/errors.js';
import { isA, typeName } from '../base/values.js';
import type { ImageEmbedderUsage } from './calls.js';
import type { ScoredLabel } from './types.js';

export function similarityOf(
  image: Float32Array,
  texts: readonly Float32Array[],
  { dimension, scale, bias, pairwise }: ImageEmbedderUsage,
): Float32Array {
  if (!Array.isArray(texts)) {
    throw inputError('wrong_type', `similarity: texts must be an array of vectors, not ${typeName(texts)}`);
  }
  const picture = unit(image, dimension, 'the vector of the image');
  const logits = Array.from(texts as readonly Float32Array[], (text, i) => {
    const cosine = unit(text, dimension, `the vector of text ${i}`).reduce((sum, x, at) => sum + x * picture[at]!, 0);
    return scale * cosine + (pairwise ? bias : 0);
  });
  return Float32Array.from(pairwise ? logits.map((logit) => 1 / (1 + Math.exp(-logit))) : softmax(logits));
}

function softmax(logits: readonly number[]): number[] {
  const highest = logits.reduce((highest, logit) => Math.max(highest, logit), -Infinity);
  const weights = logits.map((logit) => Math.exp(logit - highest));
  const sum = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The vector in double precision, at length 1. */
function unit(vector: Float32Array, dimension: number, what: string): Float64Array {
  if (!isA(vector, 'Float32Array')) {
    throw inputError('wrong_type', `similarity: ${what} must be a Float32Array, not ${typeName(vector)}`);
  }
  if (vector.length !== dimension) {
    throw inputError('mismatch', `similarity: ${what} needs ${dimension} elements, not ${vector.length}`);
  }
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  if (!(length > 0 && length < Infinity)) {
    throw inputError('out_of_range', `similarity: ${what} must have finite elements that are not all 0`);
  }
  return Float64Array.from(vector, (x) => x / length);
}

/** The best labels, best first; ties in the order of the labels. */
export const bestLabels = (labels: readonly string[], scores: Float32Array, count: number): ScoredLabel[] =>
  labels
    .map((label, i) => ({ label, score: scores[i]! }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
