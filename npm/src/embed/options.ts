// The options of embedders, and their rules.

import { checkFormat, checkLoadOptions, formatRule } from '../base/load_options.js';
import { checkOptions, oneOf, signal, type Rule } from '../base/options.js';
import { boolean, callback, integer } from '../base/rules.js';
import type { CommonLoadOptions, ModelFormat } from '../base/types.js';

export interface EmbedderLoadOptions extends CommonLoadOptions {
  /** Default: told by the first bytes. */
  format?: ModelFormat;
  /** Number of attention heads, for files that do not say it. */
  attentionHeads?: number;
}

export interface EmbedOptions {
  /** How token vectors become one. Default 'mean'. */
  pooling?: 'mean' | 'cls' | 'max';
  /** Divide by the length of the vector. Default true. */
  normalize?: boolean;
  /** Most tokens of one text, with [CLS] and [SEP]. Default: the embedder's `maxLength`. */
  maxLength?: number;
  /**
   * What becomes of a longer text: its end is cut off ('end', the default), it is refused ('error'), or it is split
   * and the parts' vectors are averaged, weighted by their length ('chunk').
   */
  truncate?: 'end' | 'error' | 'chunk';
  /** Called for every text that was cut, with its index and its number of tokens before. */
  onTruncate?(index: number, tokens: number): void;
  /** Called with the number of texts that are done, after every batch. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** How `Embedder.chunk` splits a text. */
export interface EmbedderChunkOptions {
  /** Most tokens of a chunk, with [CLS] and [SEP]. Default: the embedder's `maxLength`. */
  maxTokens?: number;
  /** Most tokens that a chunk repeats from the end of the one before. Default 0. */
  overlap?: number;
}

export function checkEmbedderLoadOptions(options: EmbedderLoadOptions): void {
  checkLoadOptions(options, { format: formatRule, attentionHeads: integer(1, 65536) });
  checkFormat(options.format, 'an embedder', ['weights']);
}

/** `maxPositions` is the most that the position embeddings allow. */
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
