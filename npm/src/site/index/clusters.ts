// Groups passages of similar meaning: k-means over directions. The same vectors give the same clusters.

import { type ByteVectors, normalize } from './byte_vectors.js';
import { NearestCenter } from './nearest_center.js';

/** Passages of a cluster, on average. A query loads all of each cluster that it probes. */
const clusterSize = 90;
const maxClusters = 1024;
/** Passages that the centers are found with, for each cluster. */
const sampleSize = 48;
const iterations = 6;

export interface Clusters {
  count: number;
  /** Vectors of length one, one after another. */
  centers: Float32Array;
  /** The cluster of each passage. */
  clusterOf: Uint32Array;
}

export function clustersOf(vectors: ByteVectors): Clusters {
  const { size, dimension } = vectors;
  const count = Math.min(maxClusters, Math.max(1, Math.round(size / clusterSize)));
  const sample = evenly(size, Math.min(size, count * sampleSize));
  let centers = new Float32Array(count * dimension);
  for (const [c, i] of evenly(sample.length, count).entries()) {
    vectors.addTo(centers.subarray(c * dimension, (c + 1) * dimension), sample[i]!, 1);
  }
  const nearest = new NearestCenter(count, dimension);
  nearest.centers = centers;
  for (let i = 0; i < iterations; ++i) nearest.centers = centers = improved(centers, vectors, sample, nearest);
  const clusterOf = new Uint32Array(size);
  for (let row = 0; row < size; ++row) clusterOf[row] = nearest.of(vectors.valuesOf(row));
  return { count, centers, clusterOf };
}

/** Numbers below `size`, evenly spread, so that each part of a site has its share. */
function evenly(size: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => Math.floor((i * size) / count));
}

/** The means of the vectors nearest to each center. A center without any stays where it is. */
function improved(
  centers: Float32Array,
  vectors: ByteVectors,
  sample: Uint32Array,
  nearest: NearestCenter,
): Float32Array<ArrayBuffer> {
  const { dimension } = vectors;
  const sums = new Float32Array(centers.length);
  for (const row of sample) {
    const first = nearest.of(vectors.valuesOf(row)) * dimension;
    vectors.addTo(sums.subarray(first, first + dimension), row, 1);
  }
  for (let first = 0; first < sums.length; first += dimension) {
    const sum = sums.subarray(first, first + dimension);
    if (sum.every((value) => value === 0)) sum.set(centers.subarray(first, first + dimension));
    else normalize(sum);
  }
  return sums;
}
