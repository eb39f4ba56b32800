// Groups passages that mean alike: k-means over directions. The same vectors give the same clusters.

import { type ByteVectors, normalize } from './byte_vectors.js';

/** Passages of a cluster, on average: what a query loads for each cluster that it looks into. */
const clusterSize = 90;
const maxClusters = 1024;
/** Passages that the centres are found with, for each cluster. */
const sampleSize = 48;
const iterations = 6;

export interface Clusters {
  count: number;
  /** Vectors of length one, one after another. */
  centres: Float32Array;
  /** The cluster of each passage. */
  clusterOf: Uint32Array;
}

export function clustersOf(vectors: ByteVectors): Clusters {
  const { size, dimension } = vectors;
  const count = Math.min(maxClusters, Math.max(1, Math.round(size / clusterSize)));
  const sample = sampleOf(vectors, Math.min(size, count * sampleSize));
  const samples = sample.length / dimension;
  let centres = new Float32Array(count * dimension);
  for (let c = 0; c < count; ++c) {
    const row = Math.floor((c * samples) / count);
    centres.set(sample.subarray(row * dimension, (row + 1) * dimension), c * dimension);
  }
  for (let i = 0; i < iterations; ++i) centres = improved(centres, sample, dimension);
  const clusterOf = new Uint32Array(size);
  for (let row = 0; row < size; ++row) clusterOf[row] = nearest(centres, vectors.vector(row), 0, dimension);
  return { count, centres, clusterOf };
}

/** Evenly spread over the site, so that each part of it has its share. */
function sampleOf(vectors: ByteVectors, count: number): Float32Array {
  const sample = new Float32Array(count * vectors.dimension);
  for (let i = 0; i < count; ++i) {
    sample.set(vectors.vector(Math.floor((i * vectors.size) / count)), i * vectors.dimension);
  }
  return sample;
}

/** The means of what is nearest to each centre. A centre that has nothing stays where it is. */
function improved(centres: Float32Array, sample: Float32Array, dimension: number): Float32Array<ArrayBuffer> {
  const sums = new Float32Array(centres.length);
  for (let first = 0; first < sample.length; first += dimension) {
    const cluster = nearest(centres, sample, first, dimension) * dimension;
    for (let i = 0; i < dimension; ++i) sums[cluster + i]! += sample[first + i]!;
  }
  for (let first = 0; first < sums.length; first += dimension) {
    const sum = sums.subarray(first, first + dimension);
    if (sum.every((value) => value === 0)) sum.set(centres.subarray(first, first + dimension));
    else normalize(sum);
  }
  return sums;
}

function nearest(centres: Float32Array, vectors: Float32Array, first: number, dimension: number): number {
  let [best, bestProduct] = [0, -Infinity];
  for (let at = 0, cluster = 0; at < centres.length; at += dimension, ++cluster) {
    let product = 0;
    for (let i = 0; i < dimension; ++i) product += centres[at + i]! * vectors[first + i]!;
    if (product > bestProduct) [best, bestProduct] = [cluster, product];
  }
  return best;
}
