// Scores the rows of a table.

import type { VectorTable } from './vector_table.js';

/**
 * Scores rows 0 to `count` against the query at an address of the table's memory, and calls `take` with the scores of
 * consecutive rows, in their order; they are only valid during the call.
 */
export type RowScorer = (
  kernel: 'score_rows_i8' | 'score_rows_binary',
  query: number,
  table: VectorTable,
  count: number,
  take: (first: number, scores: Int32Array) => void,
) => void;
