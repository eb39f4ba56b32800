// The options and results of rerankers, and the rules for the options.

import { callback, checkFormat, checkLoadOptions, formatRule, integer } from '../base/rules.js';
import type { CommonLoadOptions, ModelFormat } from '../base/types.js';
import { checkOptions, oneOf, type Rule, signal } from '../base/values.js';

/** Options of `Reranker.load`. */
export interface RerankerLoadOptions extends CommonLoadOptions {
  /** Format of the file. Default: detected from its first bytes. */
  format?: ModelFormat;
  /** Quantize the matrices while they are read: 'int8', as `convert` does it with 'int8-row'. Default 'none'. */
  quantize?: 'none' | 'int8';
}

/** Options of `Reranker.score`. */
export interface ScoreOptions {
  /**
   * Maximum number of tokens of a query and a text together, special tokens included. Of a longer pair the end of its
   * longer part is cut off. Default: the reranker's `maxLength`.
   */
  maxLength?: number;
  /** Called for every text whose pair was truncated, with its index and the original number of tokens of the pair. */
  onTruncate?(index: number, tokens: number): void;
  /** Called after every batch with the number of texts that are done. */
  onProgress?(done: number, total: number): void;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** Options of `Reranker.rank`. */
export interface RankOptions extends ScoreOptions {
  /** Number of texts to return. Default: all. */
  topK?: number;
}

/** A text in the result of `Reranker.rank`. */
export interface RankedText {
  /** In the list of texts. */
  index: number;
  score: number;
  text: string;
}

export function checkRerankerLoadOptions(options: RerankerLoadOptions): void {
  checkLoadOptions(options, { format: formatRule, quantize: oneOf('none', 'int8') });
  checkFormat(options.format, 'a reranker', ['gguf', 'safetensors']);
}

const scoreRules = (maxPositions: number): Record<keyof ScoreOptions, Rule> => ({
  maxLength: integer(1, maxPositions),
  onTruncate: callback,
  onProgress: callback,
  signal,
});

export function checkScoreOptions(options: ScoreOptions | undefined, maxPositions: number): void {
  checkOptions(options, scoreRules(maxPositions), 'score');
}

export function checkRankOptions(options: RankOptions | undefined, maxPositions: number): void {
  checkOptions(options, { ...scoreRules(maxPositions), topK: integer(1, 2 ** 31 - 1) }, 'rank');
}
