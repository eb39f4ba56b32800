// The inner loops over vectors of tokens: a small WebAssembly module that is part of the script, as kernels.ts has for
// single vectors. If WebAssembly is not available, the same loops in JavaScript.

import bytes from 'quintet-late-interaction';
import relaxed from 'quintet-late-interaction-relaxed';
import { type KernelMemory, kernelsOf, ScalarMemory } from './kernels.js';

/**
 * All addresses are bytes in `memory`, multiples of 16; vectors are padded with zeros to `bytes`, a multiple of 16.
 * Comparisons keep, for each query, the best of the existing and these rows.
 */
export interface LateKernels {
  readonly memory: KernelMemory;
  /** nearest[q], int32: the smallest number of bits in which query q and a row differ. */
  nearest_signs(queries: number, queryCount: number, rows: number, count: number, bytes: number, nearest: number): void;
  /** Prepares int8 queries for `largest_products`; both `prepared` and its `tile` of `tileRows` rows need two bytes a value. */
  prepare_queries(queries: number, queryCount: number, bytes: number, prepared: number): void;
  /** largest[q], float64: the largest of (query q . row i) * scales[i], where vectors are int8 and scales float32. */
  largest_products(
    prepared: number,
    queryCount: number,
    rows: number,
    scales: number,
    count: number,
    bytes: number,
    tile: number,
    largest: number,
  ): void;
}

export const tileRows = 16;

export const createLateKernels = kernelsOf([relaxed, bytes], scalarKernels);

function scalarKernels(): LateKernels {
  const memory = new ScalarMemory();
  /** Keeps for each query the best of `compare` over all rows. */
  const keepBest = (
    best: Int32Array | Float64Array,
    better: (a: number, b: number) => number,
    count: number,
    compare: (query: number, row: number) => number,
  ): void =>
    best.forEach((_, q) => {
      for (let i = 0; i < count; ++i) best[q] = better(best[q]!, compare(q, i));
    });
  return {
    memory,
    nearest_signs(queries, queryCount, rows, count, bytes, nearest) {
      const vector = (run: number, i: number) => new Uint8Array(memory.buffer, run + i * bytes, bytes);
      keepBest(new Int32Array(memory.buffer, nearest, queryCount), Math.min, count, (q, i) => {
        const [query, row] = [vector(queries, q), vector(rows, i)];
        let differing = 0;
        for (let j = 0; j < bytes; ++j) for (let bits = query[j]! ^ row[j]!; bits; bits &= bits - 1) ++differing;
        return differing;
      });
    },
    prepare_queries(queries, queryCount, bytes, prepared) {
      new Uint8Array(memory.buffer).copyWithin(prepared, queries, queries + queryCount * bytes);
    },
    largest_products(prepared, queryCount, rows, scales, count, bytes, _tile, largest) {
      const vector = (run: number, i: number) => new Int8Array(memory.buffer, run + i * bytes, bytes);
      const scale = new Float32Array(memory.buffer, scales, count);
      keepBest(new Float64Array(memory.buffer, largest, queryCount), Math.max, count, (q, i) => {
        const row = vector(rows, i);
        return scale[i]! * vector(prepared, q).reduce((sum, value, j) => sum + value * row[j]!, 0);
      });
    },
  };
}
