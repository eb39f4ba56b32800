// The memory of an index's vectors, before it is made.

import { inputError } from '../../base/errors.js';
import { checkOptions, oneOf, type Rule } from '../../base/values.js';
import { blockRows, padded } from './vector_table.js';

/** The vectors of an index. */
export interface IndexBytesOptions {
  /** Number of elements of a vector. */
  dimension: number;
  /** The storage of vectors. Default 'f32'. */
  storage?: 'f32' | 'int8' | 'binary';
  /** Vectors of an entry, for an index that has one for each token. Default: one vector, of an index without these. */
  tokens?: number;
}

const scaleBytes = 4;

/** Bytes of a vector, by what is stored of it. */
const bytesOf = {
  floats: (dimension: number) => padded(4 * dimension),
  int8: (dimension: number) => padded(dimension) + scaleBytes,
  signs: (dimension: number) => padded(Math.ceil(dimension / 8)),
};

const storedParts = {
  f32: ['floats', 'int8'],
  int8: ['int8'],
  binary: ['int8', 'signs'],
} as const;

const count: Rule = ['a whole number', (value) => Number.isSafeInteger(value) && (value as number) >= 0];
const size: Rule = ['a whole number above 0', (value) => count[1](value) && value !== 0];

/** `SearchIndex.bytesFor`. */
export function indexBytes(entries: number, options: IndexBytesOptions | undefined): number {
  const rules = { entries: count, dimension: size, storage: oneOf('f32', 'int8', 'binary'), tokens: size };
  checkOptions({ ...options, entries }, rules, 'bytesFor');
  const { dimension, storage = 'f32', tokens } = options ?? ({} as Partial<IndexBytesOptions>);
  if (dimension === undefined || entries === undefined) throw inputError('missing', 'bytesFor: entries and dimension are required');
  // Vectors of tokens have no floats.
  const parts = storedParts[tokens !== undefined && storage === 'f32' ? 'int8' : storage];
  const rows = Math.ceil((entries * (tokens ?? 1)) / blockRows) * blockRows;
  return rows * parts.reduce((sum, part) => sum + bytesOf[part](dimension), 0);
}
