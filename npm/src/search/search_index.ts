import { requireOption } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { closedError, inputError, QuintetError } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import { checkOptions, oneOf } from '../base/options.js';
import { callback, integer } from '../base/rules.js';
import type { ModelSource } from '../base/types.js';
import { isA, typeName } from '../base/values.js';
import type { IndexEntry, SaveIndexOptions } from './index_file.js';
import type { MergeOptions } from './merge.js';
import { TopK } from './top_k.js';
import { BinaryStorage, FloatStorage, Int8Storage } from './vector_storage.js';

const indexFile = lazyPart(() => import('./index_file.js'), 'writeIndexFile');
const indexMerging = lazyPart(() => import('./merge.js'), 'mergeIndexFiles');

/** Options of `SearchIndex`. */
export interface SearchIndexOptions {
  /** Number of elements of a vector, 1 to 65536. */
  dimension: number;
  /**
   * How vectors are stored. 'f32' (the default): unchanged, with an int8 copy that makes searching fast while it stays
   * exact. 'int8': a fifth of that memory; scores of unit vectors are off by less than 0.01. 'binary': int8 vectors,
   * with candidates chosen by their signs; the fastest, but may miss some of the best hits.
   */
  storage?: 'f32' | 'int8' | 'binary';
}

/** Options of `SearchIndex.search`. */
export interface SearchOptions {
  /** Maximum number of hits. Default 10. */
  k?: number;
  /** Called with payloads; entries for which it returns false are left out. If it throws, so does the search. */
  filter?(payload: unknown): boolean;
}

/** A hit of a search. */
export interface SearchHit {
  id: string;
  /** Dot product with the query, which is the cosine similarity if both vectors have length 1. */
  score: number;
  /** Absent if the entry has none. */
  payload?: unknown;
}

interface Entry extends IndexEntry {
  order: number;
}

const indexRules = { dimension: integer(1, 65536), storage: oneOf('f32', 'int8', 'binary') };
const searchRules = { k: integer(1, 2 ** 31 - 1), filter: callback };

/**
 * Finds the vectors with the largest dot product with a query. The search is exact for 'f32', and for 'int8' with
 * respect to the rounded values. Vectors are not normalized: pass vectors of length 1, as embedders return them, for
 * cosine similarity. All methods except `save`, `load` and `merge` are synchronous. Hits with equal scores are in the
 * order in which their ids were added.
 */
export class SearchIndex extends Disposable {
  /** Number of elements of a vector. */
  readonly dimension: number;
  /** How vectors are stored. */
  readonly storage: 'f32' | 'int8' | 'binary';
  private opened: FloatStorage | Int8Storage | undefined;
  private readonly slots = new Map<string, number>();
  /** By slot; undefined for a free slot. */
  private readonly entries: (Entry | undefined)[] = [];
  private readonly free: number[] = [];
  private nextOrder = 0;

  constructor(options: SearchIndexOptions) {
    super();
    checkOptions(options, indexRules, 'SearchIndex');
    this.dimension = requireOption(options, 'dimension', 'SearchIndex');
    this.storage = options.storage ?? 'f32';
    this.opened = allocating(() => storageOf(this.storage, this.dimension));
  }

  /** Number of entries. */
  get size(): number {
    return this.slots.size;
  }

  /**
   * Adds an entry. If the id exists, its vector and payload are replaced, and it keeps its place among equal scores.
   * @throws QuintetError INPUT for a vector of the wrong dimension or with values that are not finite; MEMORY, CLOSED
   */
  add(id: string, vector: Float32Array, payload?: unknown): void {
    checkId(id);
    this.checkVector(vector);
    this.insert(id, payload, (slot) => this.vectors.set(slot, vector));
  }

  /** Removes an entry. Returns false if there is none. */
  remove(id: string): boolean {
    checkId(id);
    if (!this.opened) throw closedError();
    const slot = this.slots.get(id);
    if (slot === undefined) return false;
    this.slots.delete(id);
    this.entries[slot] = undefined;
    this.free.push(slot);
    return true;
  }

  /**
   * Returns the k entries with the largest dot products, best first.
   * @throws QuintetError INPUT, CLOSED
   */
  search(query: Float32Array, options?: SearchOptions): SearchHit[] {
    this.checkVector(query);
    checkOptions(options, searchRules, 'search');
    const { k = 10, filter } = options ?? {};
    const rescoring = this.vectors instanceof BinaryStorage ? this.vectors.rescoring : undefined;
    let best = this.scan(query, rescoring ? rescoring.candidates(k) : k, filter);
    if (rescoring) {
      const rescored = new TopK(k);
      for (const { slot, order } of best.ranked()) rescored.offer(rescoring.score(query, slot), order, slot);
      best = rescored;
    }
    return best.ranked().map(({ slot, score }) => {
      const { id, payload } = this.entries[slot]!;
      return payload === undefined ? { id, score } : { id, score, payload };
    });
  }

  /**
   * Saves the index as a safetensors file. The same entries in the same order give the same bytes. Payloads are stored
   * as JSON.
   * @throws QuintetError INPUT for a payload that cannot be stored as JSON
   */
  async save(options?: SaveIndexOptions): Promise<Uint8Array> {
    const { vectors } = this;
    const { writeIndexFile } = await indexFile();
    const inOrder = [...this.slots.values()].sort((a, b) => this.entries[a]!.order - this.entries[b]!.order);
    const entries = inOrder.map((slot) => this.entries[slot]!);
    return writeIndexFile(this.storage, this.dimension, entries, inOrder, vectors, options);
  }

  /**
   * Loads an index written by `save` or `merge`. Everything in the file is checked.
   * @throws QuintetError FORMAT, IO, INPUT, MEMORY
   */
  static async load(source: ModelSource): Promise<SearchIndex> {
    const { storage, dimension, entries, vectorInto } = await (await indexFile()).readIndexFile(source);
    const index = new SearchIndex({ dimension, storage });
    entries.forEach(({ id, payload }, i) => {
      index.insert(id, payload, (slot) => vectorInto(i, index.vectors, slot));
    });
    return index;
  }

  /**
   * Merges saved indexes: returns the bytes that `save` would write for an index with the entries of all, in this
   * order. The stream is produced while it is read, so that large indexes can be merged in little memory. Every index
   * is read twice, so streams cannot be merged. Ids are not compared across indexes: `load` rejects a file with a
   * duplicate id.
   * @throws QuintetError FORMAT, IO; INPUT if storage or dimension differ. Errors in vectors are errors of the stream.
   */
  static async merge(indexes: readonly ModelSource[], options?: MergeOptions): Promise<ReadableStream<Uint8Array>> {
    return (await indexMerging()).mergeIndexFiles(indexes, options);
  }

  /** Frees the vectors. Later calls fail with CLOSED. */
  close(): void {
    this.opened = undefined;
    this.slots.clear();
    this.entries.length = 0;
    this.free.length = 0;
  }

  private get vectors(): FloatStorage | Int8Storage {
    if (!this.opened) throw closedError();
    return this.opened;
  }

  private scan(query: Float32Array, count: number, filter: SearchOptions['filter']): TopK {
    const best = new TopK(count);
    const { entries } = this;
    this.vectors.scan(query, entries.length, {
      get floor() {
        return best.floor;
      },
      take(slot, score) {
        const entry = entries[slot];
        if (!entry || !best.wants(score, entry.order)) return;
        if (!filter || filter(entry.payload)) best.offer(score, entry.order, slot);
      },
    });
    return best;
  }

  private insert(id: string, payload: unknown, write: (slot: number) => void): void {
    const present = this.slots.get(id);
    const slot = present ?? this.free.at(-1) ?? this.entries.length;
    allocating(() => write(slot));
    if (present === undefined && slot < this.entries.length) this.free.pop();
    const order = present === undefined ? this.nextOrder++ : this.entries[present]!.order;
    this.entries[slot] = { id, payload, order };
    this.slots.set(id, slot);
  }

  private checkVector(vector: Float32Array): void {
    if (!isA(vector, 'Float32Array')) {
      throw inputError('wrong_type', `a vector must be a Float32Array, not ${typeName(vector)}`);
    }
    if (vector.length !== this.dimension) {
      throw inputError('mismatch', `the vector has ${vector.length} elements, but the index has dimension ${this.dimension}`);
    }
    if (!vector.every(Number.isFinite)) throw inputError('out_of_range', 'the vector has elements that are not finite');
  }
}

/** Growing the memory throws a RangeError if there is not enough. */
function allocating<T>(job: () => T): T {
  try {
    return job();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new QuintetError('MEMORY', 'not enough memory for more vectors', { reason: 'out_of_memory', cause });
  }
}

function storageOf(storage: SearchIndex['storage'], dimension: number): FloatStorage | Int8Storage {
  if (storage === 'f32') return new FloatStorage(dimension);
  return storage === 'int8' ? new Int8Storage(dimension) : new BinaryStorage(dimension);
}

function checkId(id: unknown): void {
  if (typeof id !== 'string') throw inputError('wrong_type', `an id must be a string, not ${typeName(id)}`);
}
