import { requireOption } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { closedError, inputError, QuintetError, requireGlobals } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions, isA, typeName } from '../base/values.js';
import { EntryTable } from './entry_table.js';
import type { SaveIndexOptions } from './index_file.js';
import type { KeywordIndex } from './keywords/keyword_index.js';
import type { MergeOptions } from './merge.js';
import {
  indexRules,
  type LoadIndexOptions,
  loadRules,
  type SearchIndexOptions,
  type SearchOptions,
  searchRules,
  type TextSearchOptions,
} from './search_options.js';
import type { SearchTeam } from './search_threads.js';
import { TopK } from './top_k.js';
import { BinaryStorage, FloatStorage, Int8Storage } from './vector_storage.js';

const indexFile = lazyPart(() => import('./index_file.js'), 'writeIndexFile');
const searchThreads = lazyPart(() => import('./search_threads.js'), 'startSearchTeam');
const textSearch = lazyPart(() => import('./keywords/text_search.js'), 'KeywordIndex');
const indexMerging = lazyPart(() => import('./merge.js'), 'mergeIndexFiles', 'ReadableStream');

/** A hit of a search. */
export interface SearchHit {
  id: string;
  /**
   * Dot product with the query, which is the cosine similarity if both vectors have length 1. In mode 'keyword' the BM25
   * score, in mode 'hybrid' the sum of 1 / (60 + rank) over the two rankings.
   */
  score: number;
  /** Absent if the entry has none. */
  payload?: unknown;
}

/**
 * Finds the vectors with the largest dot product with a query. The search is exact for 'f32', and for 'int8' with
 * respect to the rounded values. Vectors are not normalized: pass vectors of length 1, as embedders return them, for
 * cosine similarity. All methods except `save`, `load`, `merge` and the search for a text are synchronous. Hits with equal
 * scores are in the order in which their ids were added.
 */
export class SearchIndex extends Disposable {
  /** Number of elements of a vector. */
  readonly dimension: number;
  /** How vectors are stored. */
  readonly storage: 'f32' | 'int8' | 'binary';
  private opened: FloatStorage | Int8Storage | undefined;
  private entries = new EntryTable();
  private readonly options: LoadIndexOptions;
  /** Present as soon as something needs the words. */
  private keywords: KeywordIndex | undefined;
  /** Texts that were given to `add` and wait for `keywords`, by slot. */
  private readonly waitingTexts = new Map<number, string>();
  private team: SearchTeam | undefined;
  private readonly starting: Promise<void> | undefined;

  constructor(options: SearchIndexOptions) {
    super();
    requireGlobals();
    checkOptions(options, indexRules, 'SearchIndex');
    this.dimension = requireOption(options, 'dimension', 'SearchIndex');
    this.storage = options.storage ?? 'f32';
    this.options = options;
    this.opened = allocating(() => storageOf(this.storage, this.dimension));
    if ((options.threads ?? 1) !== 1) this.starting = this.startThreads(options.threads!);
  }

  /** Number of threads that a search takes now. */
  get threads(): number {
    return this.team?.threads ?? 1;
  }

  /** Number of entries. */
  get size(): number {
    return this.entries.size;
  }

  /**
   * Adds an entry. If the id exists, its vector and payload are replaced, and it keeps its place among equal scores.
   * `text` is what keyword search finds it by, if that is not in the payload; it is not kept, only its words are.
   * @throws QuintetError INPUT for a vector of the wrong dimension or with values that are not finite; MEMORY, CLOSED
   */
  add(id: string, vector: Float32Array, payload?: unknown, text?: string): void {
    checkId(id);
    this.checkVector(vector);
    if (text !== undefined) checkText(text);
    const indexed = this.keywords?.textOf(payload, text);
    const slot = this.insert(id, payload, (slot) => this.vectors.set(slot, vector));
    if (this.keywords) this.keywords.set(slot, indexed);
    else if (text === undefined) this.waitingTexts.delete(slot);
    else {
      this.waitingTexts.set(slot, text);
      // Texts wait no longer than necessary. If it fails, `save` and `search` try again.
      this.withKeywords().catch(() => {});
    }
  }

  /** Removes an entry. Returns false if there is none. */
  remove(id: string): boolean {
    checkId(id);
    if (!this.opened) throw closedError();
    const slot = this.entries.remove(id);
    if (slot === undefined) return false;
    this.keywords?.remove(slot);
    this.waitingTexts.delete(slot);
    return true;
  }

  /**
   * Returns the k entries with the largest dot products, best first.
   * @throws QuintetError INPUT, CLOSED
   */
  search(query: Float32Array, options?: SearchOptions): SearchHit[];
  /**
   * Finds entries by a text: by its vector, by its words (BM25), or by both, whose rankings are fused. The first search for
   * words reads the texts of all entries.
   * @throws QuintetError INPUT if the mode needs a vector and there is no embedder; IO, CLOSED, and what the embedder throws
   */
  search(query: string, options?: TextSearchOptions): Promise<SearchHit[]>;
  search(query: Float32Array | string, options?: TextSearchOptions): SearchHit[] | Promise<SearchHit[]> {
    if (typeof query === 'string') return this.searchText(query, options);
    checkOptions(options, searchRules, 'search');
    const { k = 10, filter } = options ?? {};
    return this.hits(this.nearest(query, k, filter));
  }

  /**
   * Saves the index as a safetensors file. The same entries in the same order give the same bytes. Payloads are stored
   * as JSON. The words of texts are stored if texts were given to `add`, the option `text` is set, or words were searched for.
   * @throws QuintetError INPUT for a payload that cannot be stored as JSON
   */
  async save(options?: SaveIndexOptions): Promise<Uint8Array> {
    const { writeIndexFile } = await indexFile();
    const hasWords = this.keywords ?? (this.waitingTexts.size > 0 || this.options.text !== undefined);
    const keywords = hasWords ? await this.withKeywords() : undefined;
    const { vectors, entries } = this;
    const slots = entries.inOrder();
    const listed = Array.from(slots, (slot) => ({ id: entries.id(slot), payload: entries.payload(slot) }));
    return writeIndexFile(this.storage, this.dimension, listed, slots, vectors, keywords?.rows(slots), options);
  }

  /**
   * Loads an index written by `save` or `merge`. Everything in the file is checked.
   * @throws QuintetError FORMAT, IO, INPUT, MEMORY
   */
  static async load(source: ModelSource, options?: LoadIndexOptions): Promise<SearchIndex> {
    checkOptions(options, loadRules, 'load');
    const { storage, dimension, entries, vectorInto, keywords } = await (await indexFile()).readIndexFile(source);
    const index = new SearchIndex({ ...options, dimension, storage });
    await index.starting;
    entries.forEach(({ id, payload }, i) => {
      index.insert(id, payload, (slot) => vectorInto(i, index.vectors, slot));
    });
    if (keywords) index.keywords = (await textSearch()).KeywordIndex.of(keywords, options?.text);
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
    this.team?.end();
    this.team = undefined;
    this.opened = undefined;
    this.keywords = undefined;
    this.entries = new EntryTable();
    this.waitingTexts.clear();
  }

  private get vectors(): FloatStorage | Int8Storage {
    if (!this.opened) throw closedError();
    return this.opened;
  }

  /** Where threads cannot be started, searches take one. */
  private async startThreads(threads: number | 'auto'): Promise<void> {
    try {
      const { scanned } = this.vectors;
      const team = await (await searchThreads()).startSearchTeam(scanned, threads);
      if (this.opened) this.team = team;
      else team.end();
    } catch {
      this.team = undefined;
    }
  }

  private async searchText(query: string, options?: TextSearchOptions): Promise<SearchHit[]> {
    const { rankTexts } = await textSearch();
    return this.hits(
      await rankTexts(query, options, this.options.embedder, {
        words: () => this.withKeywords(),
        nearest: (vector, k, filter) => this.nearest(vector, k, filter),
        offer: (best, slot, score, filter) => this.offer(best, slot, score, filter),
      }),
    );
  }

  /** The words of all entries. */
  private async withKeywords(): Promise<KeywordIndex> {
    const { wordsOfEntries } = await textSearch();
    if (!this.opened) throw closedError();
    this.keywords ??= wordsOfEntries(this.entries, this.waitingTexts, this.options.text);
    this.waitingTexts.clear();
    return this.keywords;
  }

  private hits(best: TopK): SearchHit[] {
    return best.ranked().map(({ slot, score }) => {
      const id = this.entries.id(slot);
      const payload = this.entries.payload(slot);
      return payload === undefined ? { id, score } : { id, score, payload };
    });
  }

  private nearest(query: Float32Array, k: number, filter: SearchOptions['filter']): TopK {
    this.checkVector(query);
    const { vectors } = this;
    const rescoring = vectors instanceof BinaryStorage ? vectors.rescoring : undefined;
    const best = new TopK(rescoring ? rescoring.candidates(k) : k);
    vectors.scan(query, this.entries.slots, {
      get floor() {
        return best.floor;
      },
      take: (slot, score) => this.offer(best, slot, score, filter),
    });
    if (!rescoring) return best;
    const rescored = new TopK(k);
    for (const { slot, order } of best.ranked()) rescored.offer(rescoring.score(query, slot), order, slot);
    return rescored;
  }

  private offer(best: TopK, slot: number, score: number, filter: SearchOptions['filter']): void {
    const { entries } = this;
    if (!entries.has(slot) || !best.wants(score, entries.order(slot))) return;
    if (!filter || filter(entries.payload(slot))) best.offer(score, entries.order(slot), slot);
  }

  private insert(id: string, payload: unknown, write: (slot: number) => void): number {
    const { entries } = this;
    const present = entries.find(id);
    const slot = present ?? entries.nextSlot;
    allocating(() => write(slot));
    if (present === undefined) entries.insert(id, payload);
    else entries.setPayload(slot, payload);
    return slot;
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

function checkText(text: unknown): void {
  if (typeof text !== 'string') throw inputError('wrong_type', `a text must be a string, not ${typeName(text)}`);
}

function checkId(id: unknown): void {
  if (typeof id !== 'string') throw inputError('wrong_type', `an id must be a string, not ${typeName(id)}`);
}
