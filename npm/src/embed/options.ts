// The options and results of embedders, and the rules for the options.

import { checkFormat, checkLoadOptions, formatRule } from '../base/load_options.js';
import { checkOptions, oneOf, signal, type Rule } from '../base/options.js';
import { boolean, callback, integer } from '../base/rules.js';
import type { CommonLoadOptions, ModelFormat } from '../base/types.js';

/** Options of `Embedder.load`. */
export interface EmbedderLoadOptions extends CommonLoadOptions {
  /** Format of the file. Default: detected from its first bytes. */
  format?: ModelFormat;
  /** Number of attention heads, for files that do not contain it. */
  attentionHeads?: number;
}

/** Options of `Embedder.embed` and its variants. */
export interface EmbedOptions {
  /** How the token vectors are combined into one. Default 'mean'. */
  pooling?: 'mean' | 'cls' | 'max';
  /** Scale vectors to length 1. Default true. */
  normalize?: boolean;
  /** Maximum number of tokens per text, including [CLS] and [SEP]. Default: the embedder's `maxLength`. */
  maxLength?: number;
  /**
   * What to do with a longer text: cut off its end ('end', the default), throw INPUT ('error'), or split it and average
   * the vectors of the parts, weighted by length ('chunk').
   */
  truncate?: 'end' | 'error' | 'chunk';
  /** Called for every text that was truncated, with its index and its original number of tokens. */
  onTruncate?(index: number, tokens: number): void;
  /** Called after every batch with the number of texts that are done. */
  onProgress?(done: number, total: number): void;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** Options of `Embedder.chunk`. */
export interface EmbedderChunkOptions {
  /** Maximum number of tokens per chunk, including [CLS] and [SEP]. Default: the embedder's `maxLength`. */
  maxTokens?: number;
  /** Maximum number of tokens repeated from the end of the previous chunk. Default 0. */
  overlap?: number;
}

/** Result of `Embedder.encode` for n texts. */
export interface Encoding {
  /** Row-major [n, dimension]: the vector of text `i` starts at `i * dimension`. */
  vectors: Float32Array;
  /** Number of elements of a vector. */
  dimension: number;
  /** Shape [n]: number of tokens of each text before truncation, including [CLS] and [SEP]. */
  tokens: Int32Array;
  /** Shape [n]: 1 for every text that was truncated, else 0. */
  truncated: Uint8Array;
}

export function checkEmbedderLoadOptions(options: EmbedderLoadOptions): void {
  checkLoadOptions(options, { format: formatRule, attentionHeads: integer(1, 65536) });
  checkFormat(options.format, 'an embedder', ['weights']);
}

/** `maxPositions`: number of position embeddings, the upper limit of `maxLength`. */
export function checkEmbedOptions(options: EmbedOptions | undefined, maxPositions: number): void {
  const rules: Record<keyof EmbedOptions, Rule> = {
    pooling: oneOf('mean', 'cls', 'max'),
    normalize: boolean,
    maxLength: integer(2, maxPositions),
    truncate: oneOf('end', 'error', 'chunk'),
    onTruncate: callback,
    onProgress: callback,
    signal,
  };
  checkOptions(options, rules, 'embed');
}
