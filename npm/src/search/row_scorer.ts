// How the rows of a table get their scores.

import type { VectorTable } from './vector_table.js';

/** A search through rows 0 to `count` for the highest scores. All addresses are in the memory of `rows`. */
export interface Scan {
  readonly kernel: 'score_rows_i8' | 'score_rows_binary';
  readonly query: number;
  readonly rows: VectorTable;
  readonly count: number;
  /** The address of the scales of a block's rows. */
  scales(block: number): number;
  /** Whether rows are of interest whose scores, times their scales, are at most `largest`, which is rounded to a float32. */
  wants(largest: number): boolean;
  /** Receives the scores of a block that is of interest; they are only valid during the call. */
  take(first: number, scores: Int32Array): void;
}

/** Scores all rows, and offers blocks of them in their order. */
export type RowScorer = (scan: Scan) => void;
