// Options of the search index.

import type { QuintetError } from '../base/errors.js';
import { boolean, callback, either, integer } from '../base/rules.js';
import { isA, oneOf, type Rule } from '../base/values.js';
import type { SparseVector, TokenEmbedOptions, TokenVectors, VectorKind } from '../embed/options.js';
import type { ImageInput } from '../images/types.js';
import type { EntryId } from './types.js';

/** The prompts that an index puts before texts. */
export interface IndexPrompts {
  query?: string;
  document?: string;
}

/** Embeds texts for an index. */
export interface IndexEmbedOptions {
  /** Put before every text. Default: the model's prompt for queries or documents. */
  prompt?: string;
  /** Keep only this many of the first elements of each vector. Default: all. */
  dimensions?: number;
  /** As for `Embedder.embed`. */
  truncate?: 'end' | 'error' | 'chunk';
  onTruncate?(index: number, tokens: number): void;
  signal?: AbortSignal;
}

/** The parts of its model that an index uses. An `Embedder` has them. */
export interface IndexEmbedder {
  readonly dimension: number;
  readonly prompts?: Readonly<Record<string, string>>;
  /** For messages. */
  readonly info?: { readonly metadata?: Readonly<Record<string, unknown>>; readonly architecture?: unknown };
  embedQuery(text: string, options?: IndexEmbedOptions): Promise<Float32Array>;
  embedDocuments(texts: readonly string[], options?: IndexEmbedOptions): Promise<Float32Array[]>;
  /** The kind of vectors that it gives for texts, by one of the methods below unless it is 'dense'. Default 'dense'. */
  readonly vectors?: VectorKind;
  embedMulti?(texts: readonly string[], options?: TokenEmbedOptions): Promise<TokenVectors[]>;
  embedSparse?(texts: readonly string[], options?: TokenEmbedOptions): Promise<SparseVector[]>;
}

/** The parts of a model of pictures and texts that an index uses. An `ImageEmbedder` has them. */
export interface IndexImageEmbedder {
  readonly dimension: number;
  /** Without 'text', the index is searched with `nearest`, and a saved one does not record its model. */
  readonly towers: readonly string[];
  /** For messages. */
  readonly info?: NonNullable<IndexEmbedder['info']>;
  embedText(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>;
  embedText(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  /** For `addImages`. */
  embedImageStream?(
    images: AsyncIterable<ImageInput>,
    options?: { signal?: AbortSignal; onError?(index: number, error: QuintetError): void },
  ): AsyncIterable<Float32Array>;
}

/** The parts of a reranker that an index uses. A `Reranker` has them. */
export interface IndexReranker {
  rank(
    query: string,
    texts: readonly string[],
    options?: { topK?: number; signal?: AbortSignal },
  ): Promise<{ index: number; score: number }[]>;
}

/** Options of `SearchIndex.load`. */
export interface LoadIndexOptions {
  /** For `search` and `addTexts`. It must be the model that the index was built with. */
  embedder?: IndexEmbedder | IndexImageEmbedder;
  /** For `search` with the option `rerank`. */
  reranker?: IndexReranker;
  /**
   * Number of threads that search, or 'auto': one per processor. Default 1. They start in the background (`load` waits
   * for them); before that, and where memory cannot be shared, a search uses one. The results do not depend on it.
   */
  threads?: number | 'auto';
}

export interface BuildIndexOptions extends LoadIndexOptions {
  /**
   * The storage of vectors. 'f32' (the default): unchanged, with an int8 copy that makes searching fast while it stays
   * exact. 'int8': a fifth of that memory; scores of unit vectors are off by less than 0.01. 'binary': int8 vectors,
   * with candidates chosen by their signs; the fastest, but may miss some of the best hits.
   */
  storage?: 'f32' | 'int8' | 'binary';
  /**
   * The vectors of an entry: one ('dense'), one for each token ('multi', which are int8 or, with `storage` 'binary',
   * chosen by their signs), or a sparse one. Default: the kind that the embedder gives, else 'dense'.
   */
  vectors?: VectorKind;
  /**
   * Entries keep one of this many vectors of their tokens: those of tokens that mean nearly the same become one. 1 to
   * 64, default 1: all. A saved index remembers it.
   */
  poolFactor?: number;
  /** Whether texts can be found by their words. Default true, with an image embedder false. */
  keywords?: boolean;
  /**
   * Whether texts are kept: hits have them, a reranker reads them, and `addTexts` does not embed them again. Default
   * true. Without it only their words are kept.
   */
  keepTexts?: boolean;
  /**
   * Put before queries and documents. Default: the model's own prompts. For models whose files contain none, such as
   * E5.
   */
  prompts?: IndexPrompts;
}

/** Options of `SearchIndex`: a dimension, an embedder, or both. */
export type SearchIndexOptions = BuildIndexOptions &
  (
    | {
        /**
         * Number of elements of a vector, 1 to 65536; of a sparse one up to 1048576. Default: the embedder's; fewer are
         * the first ones of its vectors, for models trained for it (Matryoshka).
         */
        dimension: number;
      }
    | { embedder: IndexEmbedder | IndexImageEmbedder; dimension?: number }
  );

/** Options of `SearchIndex.nearest`. */
export interface NearestOptions<Payload = unknown> {
  /** Maximum number of hits. Default 10. */
  k?: number;
  /** Called with payloads; entries for which it returns false are left out. If it throws, so does the search. */
  filter?(payload: Payload): boolean;
}

/** Options of `SearchIndex.search`. */
export interface SearchOptions<Payload = unknown> extends NearestOptions<Payload> {
  /**
   * 'vector' finds by meaning, 'keyword' by common words, 'hybrid' by both. Default: 'hybrid', without `keywords`
   * 'vector', and 'keyword' if there is neither an embedder nor a vector.
   */
  mode?: 'hybrid' | 'vector' | 'keyword';
  /**
   * The vector of the query, instead of the embedder's; for late interaction those of its tokens, one after another.
   */
  vector?: Float32Array;
  /**
   * Order the best hits again with the index's reranker: this many of them, but at least `k`; `true`: 50. Default
   * false.
   */
  rerank?: boolean | number;
  /** Aborts the search, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** Options of `SearchIndex.addTexts`. */
export interface AddTextsOptions {
  /**
   * The treatment of texts that are too long for the embedder, as for `Embedder.embed`. Default 'end': their end is cut
   * off.
   */
  truncate?: 'end' | 'error' | 'chunk';
  /** Called for every text that was truncated, with the number of its entry and of its tokens. */
  onTruncate?(index: number, tokens: number): void;
  /**
   * Called after every batch with the number of entries that are done. The total is Infinity unless the entries are an
   * array.
   */
  onProgress?(done: number, total: number): void;
  /** Aborts the call, which then rejects with ABORTED. Entries that were added stay. */
  signal?: AbortSignal;
}

/** Options of `SearchIndex.addImages`. */
export interface AddImagesOptions {
  /** Called after every image with the number of entries that are done. The total is Infinity unless the entries are an array. */
  onProgress?(done: number, total: number): void;
  /**
   * Called for an image that cannot be read, decoded or embedded. It is left out. Default: such an image ends the call with
   * its error.
   */
  onError?(id: EntryId, error: QuintetError): void;
  /** Aborts the call, which then rejects with ABORTED. Entries that were added stay. */
  signal?: AbortSignal;
}

/** All options of an index, given or not. */
export type IndexOptions = BuildIndexOptions & { dimension?: number };

/** The maximum of `poolFactor`. */
export const maxPoolFactor = 64;

/** The maximum dimension of sparse vectors. */
export const maxVocabulary = 2 ** 20;

/** The default of `keywords`. */
export const hasKeywords = (embedder: IndexOptions['embedder']): boolean => !embedder || 'embedQuery' in embedder;

const has = (what: string, method: string): Rule => [
  what,
  (value) => typeof (value as Record<string, unknown> | null)?.[method] === 'function',
];
const text: Rule = ['a string', (value) => typeof value === 'string'];

export const promptRules: Record<keyof IndexPrompts, Rule> = { query: text, document: text };
export const loadRules: Record<keyof LoadIndexOptions, Rule> = {
  embedder: either(has('an embedder', 'embedQuery'), has('an image embedder', 'embedText')),
  reranker: has('a reranker', 'rank'),
  threads: either(integer(1, 64), oneOf('auto')),
};
export const indexRules: Record<keyof IndexOptions, Rule> = {
  ...loadRules,
  dimension: integer(1, maxVocabulary),
  storage: oneOf('f32', 'int8', 'binary'),
  vectors: oneOf('dense', 'multi', 'sparse'),
  poolFactor: integer(1, maxPoolFactor),
  keywords: boolean,
  keepTexts: boolean,
  prompts: ['an object', (value) => isA(value, 'Object')],
};
export const nearestRules: Record<keyof NearestOptions, Rule> = { k: integer(1, 2 ** 31 - 1), filter: callback };
