// Subtracts the common part of vectors. All passages of a site are about its subject; without it the differences show
// (Mu and Viswanath, All-but-the-Top, 2018).

import { ByteVectors, normalize } from './byte_vectors.js';

export function meanOf(vectors: ByteVectors): Float32Array {
  const mean = new Float32Array(vectors.dimension);
  for (let row = 0; row < vectors.size; ++row) vectors.addTo(mean, row, 1 / vectors.size);
  return mean;
}

/** Vectors less `mean`, of length one; a vector of zeros stays. */
export function without(mean: Float32Array, vectors: ByteVectors): ByteVectors {
  const rest = new ByteVectors(vectors.dimension);
  for (let row = 0; row < vectors.size; ++row) {
    const vector = vectors.vector(row);
    rest.push(vector.some((value) => value !== 0) ? normalize(vector.map((value, i) => value - mean[i]!)) : vector);
  }
  return rest;
}
