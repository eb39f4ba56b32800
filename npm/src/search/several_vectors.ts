// The vectors of entries that have one a token, or sparse ones. The part of the package for them is loaded with the
// first vector, or with a saved index; until then, vectors wait.

import { lazyModule } from '../base/lazy_module.js';
import type { SparseVector, VectorKind } from '../embed/options.js';
import type { SeveralStorage } from './vectors/several_storage.js';

/** Vectors of tokens, one after another, or a sparse one. */
export type SeveralVector = Float32Array | SparseVector;

const storages = lazyModule(() => import('./vectors/several_storage.js'), 'severalStorage');

export class SeveralVectors {
  storage: SeveralStorage | undefined;
  /** Vectors that are not in `storage` yet, by slot. */
  private readonly waiting = new Map<number, SeveralVector>();

  constructor(
    private readonly kind: Exclude<VectorKind, 'dense'>,
    private readonly dimension: number,
    private readonly precision: 'f32' | 'int8' | 'binary',
    private readonly poolFactor: number,
  ) {}

  has(slot: number): boolean {
    return this.waiting.has(slot) || (this.storage?.has(slot) ?? false);
  }

  /** A copy of an entry's vectors: as they are stored, or as they were given if they wait. */
  vectorOf(slot: number): SeveralVector | undefined {
    const waiting = this.waiting.get(slot);
    return waiting ? copyOf(waiting) : this.storage?.vectorOf(slot);
  }

  set(slot: number, vector: SeveralVector): void {
    if (this.storage) return setIn(this.storage, slot, vector);
    this.waiting.set(slot, copyOf(vector));
    // Vectors wait no longer than necessary. If it fails, `save` and `search` try again.
    this.collected().catch(() => {});
  }

  remove(slot: number): void {
    this.waiting.delete(slot);
    this.storage?.remove(slot);
  }

  /** The storage with all vectors. */
  async collected(): Promise<SeveralStorage> {
    const { severalStorage } = await storages();
    const storage = (this.storage ??= severalStorage(this.kind, this.dimension, this.precision, this.poolFactor));
    for (const [slot, vector] of this.waiting) {
      setIn(storage, slot, vector);
      this.waiting.delete(slot);
    }
    return storage;
  }
}

/** Entries have vectors of the storage's kind, which `add` checks. */
function setIn(storage: SeveralStorage, slot: number, vector: SeveralVector): void {
  storage.set(slot, vector as Float32Array & SparseVector);
}

const copyOf = (vector: SeveralVector): SeveralVector =>
  vector instanceof Float32Array ? vector.slice() : { indices: vector.indices.slice(), values: vector.values.slice() };
