// Storages of entries that have a vector for each of their tokens, or a sparse one.

import type { VectorKind } from '../../embed/options.js';
import { SparseStorage } from './sparse_storage.js';
import { TokenStorage } from './token_storage.js';

export type SeveralStorage = SparseStorage | TokenStorage;

export const severalStorage = (
  kind: Exclude<VectorKind, 'dense'>,
  dimension: number,
  precision: 'f32' | 'int8' | 'binary',
  poolFactor: number,
): SeveralStorage => (kind === 'multi' ? new TokenStorage(dimension, precision, poolFactor) : new SparseStorage());
