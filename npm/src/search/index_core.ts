// The searchable content: the entries of an index with their vectors and words.

import { closedError, inputError, QuintetError, unsupported } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import { checkOptions, isA, type Rule, shown, typeName } from '../base/values.js';
import type { SparseVector, VectorKind } from '../embed/options.js';
import type { BuiltWith } from './built_with.js';
import { EntryTable } from './entry_table.js';
import { EntryWords } from './entry_words.js';
import { hasKeywords, type IndexOptions, indexRules, type NearestOptions, promptRules } from './search_options.js';
import { type SeveralVector, SeveralVectors } from './several_vectors.js';
import { TopK } from './top_k.js';
import type { EntryId, IndexEntry } from './types.js';
import type { SearchTeam } from './vectors/search_threads.js';
import { BinaryStorage, FloatStorage, Int8Storage } from './vectors/vector_storage.js';

const searchThreads = lazyModule(() => import('./vectors/search_threads.js'), 'startThreads');

export type Filter = NearestOptions['filter'];

/** A vector, those of tokens one after another, or a sparse one. */
export type QueryVector = SeveralVector;

/** An entry without its vector. */
interface EntryFacts {
  id: EntryId;
  text?: string | undefined;
  payload?: unknown;
}

export class IndexCore {
  readonly dimension: number;
  readonly storage: 'f32' | 'int8' | 'binary';
  entries = new EntryTable();
  /** Absent without keywords. */
  words: EntryWords | undefined;
  /** The model of a saved or loaded index. */
  builtWith: BuiltWith | undefined;
  team: SearchTeam | undefined;
  /** The kind of vectors that entries have. */
  readonly kind: VectorKind;
  /** In place of `vectors`, if the kind is not 'dense'. */
  readonly several: SeveralVectors | undefined;
  readonly starting: Promise<void> | undefined;
  /** Number of changes so far. */
  changes = 0;
  private opened: FloatStorage | Int8Storage | undefined;

  constructor(readonly options: IndexOptions) {
    checkOptions(options, indexRules, 'SearchIndex');
    const {
      embedder,
      dimension = embedder?.dimension,
      storage = 'f32',
      keywords = hasKeywords(embedder),
      threads = 1,
      prompts,
      poolFactor = 1,
      vectors = embedder && 'embedQuery' in embedder ? (embedder.vectors ?? 'dense') : 'dense',
    } = options ?? {};
    checkOptions(prompts, promptRules, 'SearchIndex: prompts');
    if (dimension === undefined)
      throw inputError('missing', "SearchIndex: option 'embedder' or 'dimension' is missing");
    const isDense = vectors === 'dense';
    // Only dense vectors may be shortened.
    if (embedder && (isDense ? dimension > embedder.dimension : dimension !== embedder.dimension)) {
      throw inputError(
        'mismatch',
        `SearchIndex: 'dimension' is ${dimension}, but the embedder has ${embedder.dimension}`,
      );
    }
    this.dimension = dimension;
    this.storage = storage;
    this.kind = vectors;
    if (vectors !== 'sparse' && dimension > 65536)
      throw inputError('out_of_range', `SearchIndex: 'dimension' must be an integer from 1 to 65536, not ${dimension}`);
    // Entries with other kinds of vectors take no rows of it.
    this.opened = allocating(() => storageOf(storage, isDense ? dimension : 1));
    if (poolFactor !== 1 && vectors !== 'multi')
      throw inputError('mismatch', "SearchIndex: 'poolFactor' needs vectors of tokens");
    if (!isDense) this.several = new SeveralVectors(vectors, dimension, storage, poolFactor);
    if (keywords) this.words = new EntryWords();
    // Where threads cannot be started, searches use one.
    if (threads !== 1)
      this.starting = searchThreads()
        .then(({ startThreads }) => startThreads(this, threads))
        .catch(() => {});
  }

  get isOpen(): boolean {
    return this.opened !== undefined;
  }

  /** @throws QuintetError CLOSED */
  get vectors(): FloatStorage | Int8Storage {
    if (!this.opened) throw closedError();
    return this.opened;
  }

  add(entry: IndexEntry): void {
    if (!isA(entry, 'Object'))
      throw inputError('wrong_type', `add: an entry must be an object, not ${typeName(entry)}`);
    checkOptions(entry, entryRules, 'add');
    const { id, vector, tokens, sparse, text } = entry;
    checkId(id);
    this.checkKind({ dense: vector, multi: tokens, sparse });
    if (vector) this.checkVector(vector);
    if (tokens) this.checkTokens(tokens);
    if (sparse) this.checkSparse(sparse);
    const given = vector ?? tokens ?? sparse;
    if (!given && text === undefined) throw inputError('missing', `add: '${id}' has neither a vector nor a text`);
    const slot = this.insert(entry, vector !== undefined, (slot) => {
      if (this.kind === 'dense') this.vectors.set(slot, vector ?? new Float32Array(this.dimension));
      const several = tokens ?? sparse;
      if (several) this.several!.set(slot, several);
      else this.several?.remove(slot);
    });
    this.words?.set(slot, text);
  }

  /** Whether the entry of a slot has a vector, or several. */
  hasVector(slot: number): boolean {
    if (this.kind === 'dense') return !this.entries.withoutVector.has(slot);
    return this.several!.has(slot);
  }

  /** The slot of the entry, new or not, after `write` has set its vector. */
  insert({ id, text, payload }: EntryFacts, hasVector: boolean, write: (slot: number) => void): number {
    const { entries } = this;
    const present = entries.find(id);
    const slot = present ?? entries.nextSlot;
    allocating(() => write(slot));
    if (present === undefined) entries.insert(id);
    entries.payloads.set(slot, payload);
    if (this.options.keepTexts !== false) entries.texts.set(slot, text);
    if (hasVector) entries.withoutVector.delete(slot);
    else entries.withoutVector.add(slot);
    this.changes += 1;
    return slot;
  }

  setPayload(id: EntryId, payload: unknown): void {
    const slot = this.entries.find(id);
    if (slot === undefined) return;
    this.entries.payloads.set(slot, payload);
    this.changes += 1;
  }

  remove(id: EntryId): boolean {
    void this.vectors;
    const slot = this.entries.remove(checkId(id));
    if (slot === undefined) return false;
    this.words?.remove(slot);
    this.several?.remove(slot);
    this.changes += 1;
    return true;
  }

  /** The best entries for a query of the index's kind. */
  async ranked(query: QueryVector, k: number, filter: Filter): Promise<TopK> {
    if (!this.several) return this.nearest(query as Float32Array, k, filter);
    if (this.kind === 'sparse') this.checkSparse(query as SparseVector);
    else this.checkTokens(query as Float32Array);
    const storage = await this.several.collected();
    const listOf = (count: number) => {
      const best = new TopK(count);
      return { best, offer: (slot: number, score: number) => this.offer(best, slot, score, filter) };
    };
    const { best, offer } = listOf(k);
    storage.scan(query as Float32Array & SparseVector, k, listOf, offer);
    return best;
  }

  /** The best entries for a vector. */
  nearest(query: Float32Array, k: number, filter: Filter): TopK {
    if (this.kind !== 'dense') throw unsupported(`nearest: the index has ${this.kind} vectors: call search`);
    this.checkVector(query);
    const { vectors } = this;
    const { withoutVector } = this.entries;
    const rescoring = vectors instanceof BinaryStorage ? vectors.rescoring : undefined;
    const best = new TopK(rescoring ? rescoring.candidates(k) : k);
    vectors.scan(query, this.entries.slots, {
      get floor() {
        return best.floor;
      },
      take: (slot, score) => {
        if (!withoutVector.has(slot)) this.offer(best, slot, score, filter);
      },
    });
    if (!rescoring) return best;
    const rescored = new TopK(k);
    for (const { slot, order } of best.ranked()) rescored.offer(rescoring.score(query, slot), order, slot);
    return rescored;
  }

  offer(best: TopK, slot: number, score: number, filter: Filter): void {
    const { entries } = this;
    if (!entries.has(slot) || !best.wants(score, entries.order(slot))) return;
    if (!filter || filter(entries.payloads.get(slot))) best.offer(score, entries.order(slot), slot);
  }

  close(): void {
    this.team?.end();
    this.team = this.opened = this.words = undefined;
    this.entries = new EntryTable();
  }

  /** Entries have the kind of content that the index is for. */
  private checkKind(given: Record<VectorKind, unknown>): void {
    for (const kind of ['dense', 'multi', 'sparse'] as const) {
      if (given[kind] !== undefined && kind !== this.kind)
        throw inputError('mismatch', `add: the index has ${this.kind} vectors, not ${kind} ones`);
    }
  }

  private checkTokens(vectors: Float32Array): void {
    const { dimension } = this;
    if (isA(vectors, 'Float32Array') && vectors.length % dimension === 0 && vectors.every(Number.isFinite)) return;
    throw inputError('mismatch', `token vectors must be a Float32Array, ${dimension} finite numbers each`);
  }

  private checkSparse({ indices, values }: SparseVector): void {
    const { dimension } = this;
    const isWhole = isA(indices, 'Int32Array') && isA(values, 'Float32Array') && indices.length === values.length;
    const isAscending = (id: number, i: number) => id > (indices[i - 1] ?? -1) && id < dimension;
    if (isWhole && indices.every(isAscending) && values.every((value) => value > 0 && value < Infinity)) return;
    throw inputError(
      'mismatch',
      `a sparse vector needs ascending indices below ${dimension} (Int32Array) and values above 0 (Float32Array)`,
    );
  }

  private checkVector(vector: Float32Array): void {
    if (!isA(vector, 'Float32Array')) {
      throw inputError('wrong_type', `a vector must be a Float32Array, not ${typeName(vector)}`);
    }
    if (vector.length !== this.dimension) {
      throw inputError(
        'mismatch',
        `the vector has ${vector.length} elements, but the index has dimension ${this.dimension}`,
      );
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

function storageOf(storage: IndexCore['storage'], dimension: number): FloatStorage | Int8Storage {
  if (storage === 'f32') return new FloatStorage(dimension);
  return storage === 'int8' ? new Int8Storage(dimension) : new BinaryStorage(dimension);
}

/** The id is required, and a vector is checked against the index. */
const entryRules: Record<keyof IndexEntry, Rule> = {
  id: ['', () => true],
  vector: ['', () => true],
  tokens: ['', () => true],
  sparse: ['', () => true],
  text: ['a string', (value) => typeof value === 'string'],
  payload: ['', () => true],
};

export function checkId(id: EntryId): EntryId {
  if (typeof id === 'string' || Number.isFinite(id)) return id;
  throw inputError('wrong_type', `an id must be a string or a number, not ${shown(id)}`);
}
