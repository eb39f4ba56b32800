// Finds the center nearest to a vector, with the kernels of the search index: in bytes, which is exact enough by far,
// since a reader has centers in four bits.

import { createSearchKernels } from '../../search/vectors/kernels.js';
import { Arena, padded } from '../../search/vectors/vector_table.js';
import { ByteVectors } from './byte_vectors.js';

export class NearestCenter {
  private readonly arena = new Arena(createSearchKernels());
  private readonly query: number;
  private readonly rows: number;
  private readonly scores: number;
  /** Bytes of a row. */
  private readonly stride: number;
  private readonly scales: Float32Array;

  constructor(
    private readonly count: number,
    private readonly dimension: number,
  ) {
    this.stride = padded(dimension);
    this.query = this.arena.take(this.stride);
    this.rows = this.arena.take(this.stride * count);
    this.scores = this.arena.take(padded(4 * count));
    this.scales = new Float32Array(count);
  }

  /** Vectors of length one, one after another. */
  set centers(centers: Float32Array) {
    const bytes = new ByteVectors(this.dimension);
    const rows = new Int8Array(this.arena.bytes, this.rows, this.stride * this.count);
    for (let c = 0; c < this.count; ++c) {
      bytes.push(centers.subarray(c * this.dimension, (c + 1) * this.dimension));
      rows.set(bytes.valuesOf(c), c * this.stride);
      this.scales[c] = bytes.scaleOf(c);
    }
  }

  /** The number of the center; the first one of several. `values`: in any scale. */
  of(values: Int8Array): number {
    const { arena, count, scales } = this;
    new Int8Array(arena.bytes, this.query, this.dimension).set(values);
    arena.kernels.score_rows_i8(this.query, this.rows, count, this.stride, this.scores);
    const scores = new Int32Array(arena.bytes, this.scores, count);
    let best = 0;
    let bestScore = -Infinity;
    for (let c = 0; c < count; ++c) {
      const score = scores[c]! * scales[c]!;
      if (score <= bestScore) continue;
      best = c;
      bestScore = score;
    }
    return best;
  }
}
