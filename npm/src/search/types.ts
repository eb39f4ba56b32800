// Entries of a search index, and the hits of a search.

import type { SparseVector } from '../embed/options.js';
import type { ImageInput } from '../images/types.js';

/** Identifies an entry. The number 1 and the string '1' are two ids. */
export type EntryId = string | number;

/** An entry of a search index. */
export interface IndexEntry<Payload = unknown> {
  id: EntryId;
  /** `dimension` values, for searches by meaning. Without it, an entry is found by its words only. */
  vector?: Float32Array;
  /** A vector of `dimension` values for each token, one after another, in an index for late interaction. */
  tokens?: Float32Array;
  /** In an index of sparse vectors. */
  sparse?: SparseVector;
  /** Text that searches by words find the entry by, and that a reranker reads. */
  text?: string;
  /** Anything that hits are to bring along; saved as JSON. */
  payload?: Payload;
}

/** An entry for `SearchIndex.addTexts`, which computes its vector. */
export interface TextEntry<Payload = unknown> {
  id: EntryId;
  text: string;
  payload?: Payload;
}

/** An entry for `SearchIndex.addImages`, which computes its vector. */
export interface ImageEntry<Payload = unknown> {
  id: EntryId;
  image: ImageInput;
  payload?: Payload;
}

/** A hit of a search. */
export interface SearchHit<Payload = unknown> {
  id: EntryId;
  /**
   * Dot product with the query, which is the cosine similarity if both vectors have length 1; with vectors of tokens
   * the sum of the largest ones of each vector of the query (MaxSim). In mode 'keyword' the BM25 score, in mode 'hybrid'
   * the sum of 1 / (60 + rank) over the two rankings; after reranking the reranker's score.
   */
  score: number;
  /** Absent if the entry has none, or if the index does not keep texts. */
  text?: string;
  /** Absent if the entry has none; then declare it in the type: `SearchIndex<Note | undefined>`. */
  payload: Payload;
}
