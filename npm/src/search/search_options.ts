// What callers of the search index may choose.

import { oneOf, type Rule } from '../base/values.js';
import { callback, either, integer } from '../base/rules.js';

/** Turns the text of a query into a vector. An `Embedder` is one. */
export interface QueryEmbedder {
  embed(text: string): Promise<Float32Array>;
}

/** Where the text of a payload is. */
export type TextOfPayload = string | ((payload: unknown) => string | undefined);

/** Options of `SearchIndex.load`. */
export interface LoadIndexOptions {
  /** Used by `search(text)`. It must be the model of the vectors in the index. */
  embedder?: QueryEmbedder;
  /**
   * Where the text for keyword search is: the name of a payload's property, or a function of the payload. By default it is
   * the payload itself if that is a string, else its property `text`.
   */
  text?: TextOfPayload;
  /**
   * Number of threads that search, or 'auto': one per processor. Default 1. They start in the background (`load` waits for
   * them); before that, and where memory cannot be shared, a search takes one. The results do not depend on it.
   */
  threads?: number | 'auto';
}

/** Options of `SearchIndex`. */
export interface SearchIndexOptions extends LoadIndexOptions {
  /** Number of elements of a vector, 1 to 65536. */
  dimension: number;
  /**
   * How vectors are stored. 'f32' (the default): unchanged, with an int8 copy that makes searching fast while it stays
   * exact. 'int8': a fifth of that memory; scores of unit vectors are off by less than 0.01. 'binary': int8 vectors,
   * with candidates chosen by their signs; the fastest, but may miss some of the best hits.
   */
  storage?: 'f32' | 'int8' | 'binary';
}

/** Options of a search for a vector. */
export interface SearchOptions {
  /** Maximum number of hits. Default 10. */
  k?: number;
  /** Called with payloads; entries for which it returns false are left out. If it throws, so does the search. */
  filter?(payload: unknown): boolean;
}

/** Options of a search for a text. */
export interface TextSearchOptions extends SearchOptions {
  /**
   * 'vector' finds by meaning, 'keyword' by common words, 'hybrid' by both. Default 'hybrid', or 'keyword' if there is neither
   * an embedder nor a vector.
   */
  mode?: 'hybrid' | 'vector' | 'keyword';
  /** The vector of the query, instead of the embedder's. */
  vector?: Float32Array;
}

const embedder: Rule = [
  "an object with the method 'embed'",
  (value) => typeof (value as QueryEmbedder | null)?.embed === 'function',
];
const text: Rule = ['the name of a property or a function', (value) => /^(string|function)$/.test(typeof value)];

export const loadRules = { embedder, text, threads: either(integer(1, 64), oneOf('auto')) };
export const indexRules = { ...loadRules, dimension: integer(1, 65536), storage: oneOf('f32', 'int8', 'binary') };
export const searchRules = { k: integer(1, 2 ** 31 - 1), filter: callback };
