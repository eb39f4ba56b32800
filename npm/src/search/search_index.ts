import { Disposable } from '../base/disposable.js';
import { requireGlobals } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions } from '../base/values.js';
import { checkId, IndexCore } from './index_core.js';
import type { SaveIndexOptions } from './index_file.js';
import type { MergeOptions } from './merge.js';
import {
  type AddImagesOptions,
  type AddTextsOptions,
  type LoadIndexOptions,
  type NearestOptions,
  nearestRules,
  type SearchIndexOptions,
  type SearchOptions,
} from './search_options.js';
import type { TopK } from './top_k.js';
import type { EntryId, ImageEntry, IndexEntry, SearchHit, TextEntry } from './types.js';

const indexFile = lazyModule(() => import('./saving.js'), 'saveIndex');
const images = lazyModule(() => import('./adding_images.js'), 'addImages');
const texts = lazyModule(() => import('./texts.js'), 'searchTexts');

/**
 * Finds texts by meaning, by words or by both, and vectors by their dot product with a query. The search for vectors is
 * exact for 'f32', and for 'int8' with respect to the rounded values. Vectors are not normalized: pass vectors of
 * length 1, as embedders return them, for cosine similarity. Hits with equal scores are in the order in which their ids
 * were added.
 */
export class SearchIndex<Payload = unknown> extends Disposable {
  /** Number of elements of a vector. */
  readonly dimension: number;
  /** The storage of vectors. */
  readonly storage: 'f32' | 'int8' | 'binary';
  private readonly core: IndexCore;

  constructor(options: SearchIndexOptions) {
    super();
    requireGlobals();
    this.core = new IndexCore(options);
    this.dimension = this.core.dimension;
    this.storage = this.core.storage;
  }

  /** Number of threads that a search uses now. */
  get threads(): number {
    return this.core.team?.threads ?? 1;
  }

  /** Number of entries. */
  get size(): number {
    return this.core.entries.size;
  }

  /**
   * Adds an entry. If the id exists, all of it is replaced, and it keeps its place among equal scores.
   * @throws QuintetError INPUT for an entry with neither a vector nor a text, for a vector of another kind than the
   * index has, and for one of the wrong dimension or with values that are not finite; MEMORY, CLOSED
   */
  add(entry: IndexEntry<Payload>): void {
    this.core.add(entry);
  }

  /**
   * Adds texts with the vectors that the embedder gives them, with its prompt for documents; an id that exists is
   * replaced. Entries are read and embedded batch by batch, and other events get their turn meanwhile. After an abort
   * what was added stays. The same call again continues from there: a text that the index has already is not embedded
   * again.
   * @returns the number of entries
   * @throws QuintetError INPUT without an embedder, or for an entry without a text; ABORTED, CLOSED, and what the
   * embedder throws
   */
  async addTexts(
    entries: Iterable<TextEntry<Payload>> | AsyncIterable<TextEntry<Payload>>,
    options?: AddTextsOptions,
  ): Promise<number> {
    return (await texts()).addTexts(this.core, entries, options);
  }

  /**
   * Adds pictures with the vectors that the embedder gives them; an id that exists is replaced. While one is embedded, the next is
   * read and decoded, so that any number of pictures takes the memory of two. After an abort what was added stays.
   * @returns the number of entries that were added
   * @throws QuintetError INPUT without an embedder of pictures; ABORTED, CLOSED, and what the embedder and the entries throw
   */
  async addImages(
    entries: Iterable<ImageEntry<Payload>> | AsyncIterable<ImageEntry<Payload>>,
    options?: AddImagesOptions,
  ): Promise<number> {
    return (await images()).addImages(this.core, entries, options);
  }

  /** The entry with this id, its vector as it is stored. Undefined if there is none. */
  get(id: EntryId): IndexEntry<Payload> | undefined {
    const { vectors, several, kind, entries } = this.core;
    const slot = entries.find(checkId(id));
    if (slot === undefined) return undefined;
    const others = several?.vectorOf(slot);
    return {
      id,
      ...(!entries.withoutVector.has(slot) && { vector: vectors.vector(slot) }),
      ...(others && { [kind === 'multi' ? 'tokens' : 'sparse']: others }),
      ...this.contentOf(slot),
    };
  }

  /** The ids of all entries, in the order in which they were added. */
  ids(): EntryId[] {
    const { entries, vectors: _open } = this.core;
    return Array.from(entries.inOrder(), (slot) => entries.id(slot));
  }

  /** Removes an entry. Returns false if there is none. */
  remove(id: EntryId): boolean {
    return this.core.remove(id);
  }

  /**
   * The k entries with the largest dot products with a vector, best first.
   * @throws QuintetError INPUT, CLOSED; UNSUPPORTED if entries have vectors of tokens or sparse ones
   */
  nearest(vector: Float32Array, options?: NearestOptions<Payload>): SearchHit<Payload>[] {
    checkOptions(options, nearestRules, 'nearest');
    const { k = 10, filter } = (options ?? {}) as NearestOptions;
    return this.hits(this.core.nearest(vector, k, filter));
  }

  /**
   * The best k entries for a text: by its vector, which the embedder computes with its prompt for queries, by its words
   * (BM25), or by both, whose rankings are fused. A reranker orders the best of them again.
   * @throws QuintetError INPUT if there is no embedder, reranker or text that the search needs; IO, ABORTED, CLOSED,
   * and what the embedder or the reranker throws
   */
  async search(text: string, options?: SearchOptions<Payload>): Promise<SearchHit<Payload>[]> {
    return this.hits(await (await texts()).searchTexts(this.core, text, options as SearchOptions));
  }

  /**
   * Saves the index as a safetensors file, together with what identifies its model. The same entries in the same order
   * give the same bytes. Payloads are stored as JSON. The index must not change meanwhile.
   * @throws QuintetError INPUT for a payload that cannot be stored as JSON, or if the index changes meanwhile; CLOSED
   */
  async save(options?: SaveIndexOptions): Promise<Uint8Array> {
    return (await indexFile()).saveIndex(this.core, options);
  }

  /**
   * Loads an index written by `save` or `merge`. Everything in the file is checked.
   * @throws QuintetError FORMAT, IO, MEMORY; INPUT if the index was built with another model than `embedder`
   */
  static async load<Payload = unknown>(source: ModelSource, options?: LoadIndexOptions): Promise<SearchIndex<Payload>> {
    let index!: SearchIndex<Payload>;
    await (await indexFile()).loadIndex(source, options, (all) => (index = new SearchIndex<Payload>(all)).core);
    return index;
  }

  /**
   * Merges saved indexes: returns the bytes that `save` would write for an index with the entries of all, in this
   * order. The stream is produced while it is read, so that large indexes can be merged in little memory. Every index
   * is read twice, so streams cannot be merged. Ids are not compared across indexes: `load` rejects a file with a
   * duplicate id.
   * @throws QuintetError FORMAT, IO; INPUT if storage, dimension or model differ. Errors in vectors are errors of the
   * stream.
   */
  static async merge(indexes: readonly ModelSource[], options?: MergeOptions): Promise<ReadableStream<Uint8Array>> {
    return (await indexFile()).mergeIndexes(indexes, options);
  }

  /** Frees the vectors. Later calls fail with CLOSED. */
  close(): void {
    this.core.close();
  }

  private hits(best: TopK): SearchHit<Payload>[] {
    const { entries } = this.core;
    return best
      .ranked()
      .map(({ slot, score }) => ({ id: entries.id(slot), score, ...this.contentOf(slot) }) as SearchHit<Payload>);
  }

  private contentOf(slot: number): { text?: string; payload?: Payload } {
    const { texts, payloads } = this.core.entries;
    const text = texts.get(slot);
    const payload = payloads.get(slot) as Payload | undefined;
    return { ...(text !== undefined && { text }), ...(payload !== undefined && { payload }) };
  }
}
