// The options and results of embedders, and the rules for the options.

import { boolean, callback, checkFormat, checkLoadOptions, formatRule, integer } from '../base/rules.js';
import type { CommonLoadOptions, ModelFormat } from '../base/types.js';
import { checkOptions, oneOf, type Rule, signal } from '../base/values.js';

/**
 * The pooling of token vectors into one vector: their mean, the first one, the maximum of each element, or the last
 * one.
 */
export type Pooling = 'mean' | 'cls' | 'max' | 'last';

/**
 * The kind of vectors of a model: one for a text ('dense'), one for each of its tokens ('multi', late interaction), or
 * weights of entries of the vocabulary ('sparse').
 */
export type VectorKind = 'dense' | 'multi' | 'sparse';

/** Options of `Embedder.load`. */
export interface EmbedderLoadOptions extends CommonLoadOptions {
  /** Format of the file. Default: detected from its first bytes. */
  format?: ModelFormat;
  /** Number of attention heads, for files that do not contain it. */
  attentionHeads?: number;
  /**
   * The task of a model that has several, such as Jina Embeddings v3: 'retrieval.query', 'retrieval.passage',
   * 'separation', 'classification' or 'text-matching'. Its adapter is added to the weights, and its instruction is the
   * default prompt. Default: none.
   */
  task?: string;
  /** Quantize the matrices while they are read: 'int8', as `convert` does it with 'int8-row'. Default 'none'. */
  quantize?: 'none' | 'int8';
  /**
   * The output of a model with several heads, such as bge-m3: 'dense' (the default); 'multi' by colbert_linear.pt, or
   * 'sparse' by sparse_linear.pt, which must be in its folder. Other models need no choice.
   */
  vectors?: VectorKind;
}

/** The role of a text in a search. */
export type TextRole = 'query' | 'document';

/** Text put before every input. At most one of `prompt` and `promptName`; either wins over `role`. */
export interface PromptOptions {
  /** The prompt of this name of the embedder's `prompts`. Default: the model's default, if any. */
  promptName?: string;
  /** This text, instead of one of the model's prompts. */
  prompt?: string;
  /** The model's prompt for queries ('query'), or for documents ('document', 'passage', 'corpus'), if it has one. */
  role?: TextRole;
}

/** Options of `Embedder.embed` and its variants. */
export interface EmbedOptions extends PromptOptions {
  /** The pooling of token vectors into one vector. Default: as in the model's files, else 'mean'. */
  pooling?: Pooling;
  /** Scale vectors to length 1. Default: as in the model's files, else true. */
  normalize?: boolean;
  /** Maximum number of tokens per text, its prompt and special tokens included. Default: the embedder's `maxLength`. */
  maxLength?: number;
  /**
   * Keep only this many of the first elements of each vector, cut off before it is scaled; for models trained for it
   * (Matryoshka). Default: all.
   */
  dimensions?: number;
  /**
   * The treatment of a longer text: cut off its end ('end', the default), throw INPUT ('error'), or split it and
   * average the vectors of the parts, each with the prompt before it, weighted by their length without prompt
   * ('chunk').
   */
  truncate?: 'end' | 'error' | 'chunk';
  /** Called for every text that was truncated, with its index and its original number of tokens. */
  onTruncate?(index: number, tokens: number): void;
  /** Called after every batch with the number of texts that are done. */
  onProgress?(done: number, total: number): void;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** Options of `Embedder.embedMulti` and `Embedder.embedSparse`. */
export interface TokenEmbedOptions {
  /** The role of the texts, which such models treat differently. Default 'document'. */
  role?: TextRole;
  /** Maximum number of tokens per text, special tokens included. Default: that of the model for the role. */
  maxLength?: number;
  /** Called for every text that was truncated, with its index and its original number of tokens. */
  onTruncate?(index: number, tokens: number): void;
  /** Called after every batch with the number of texts that are done. */
  onProgress?(done: number, total: number): void;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** The vectors of a text's tokens, for late interaction. */
export interface TokenVectors {
  /** Row-major [kept.length, dimension]: vectors of length 1. */
  vectors: Float32Array;
  /** Number of elements of a vector. */
  dimension: number;
  /**
   * Positions of the tokens that have a vector, among all tokens of the text, special ones and those of the expansion
   * included.
   */
  kept: Int32Array;
}

/** A vector with an element for each entry of the vocabulary, of which only those above 0 are listed. */
export interface SparseVector {
  /** Token ids, in ascending order. */
  indices: Int32Array;
  /** The weight of each. */
  values: Float32Array;
}

/** Options of `Embedder.chunk`: with the same prompt, `embed` cuts none of the chunks. */
export interface EmbedderChunkOptions extends PromptOptions {
  /** Maximum number of tokens per chunk, its prompt, [CLS] and [SEP] included. Default: the embedder's `maxLength`. */
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

const text: Rule = ['a string', (value) => typeof value === 'string'];
const promptRules: Record<keyof PromptOptions, Rule> = {
  promptName: text,
  prompt: text,
  role: oneOf('query', 'document'),
};

export function checkEmbedderLoadOptions(options: EmbedderLoadOptions): void {
  checkLoadOptions(options, {
    format: formatRule,
    attentionHeads: integer(1, 65536),
    quantize: oneOf('none', 'int8'),
    task: text,
    vectors: oneOf('dense', 'multi', 'sparse'),
  });
  checkFormat(options.format, 'an embedder', ['weights', 'gguf', 'safetensors']);
}

/** `maxPositions`: the upper limit of `maxLength`; `dimension`: that of `dimensions`. */
export function checkEmbedOptions(
  options: EmbedOptions | undefined,
  { maxPositions, dimension }: { maxPositions: number; dimension: number },
): void {
  const rules: Record<keyof EmbedOptions, Rule> = {
    pooling: oneOf('mean', 'cls', 'max', 'last'),
    normalize: boolean,
    maxLength: integer(1, maxPositions),
    ...promptRules,
    dimensions: integer(1, dimension),
    truncate: oneOf('end', 'error', 'chunk'),
    onTruncate: callback,
    onProgress: callback,
    signal,
  };
  checkOptions(options, rules, 'embed');
}

export function checkChunkOptions(options: EmbedderChunkOptions | undefined): void {
  const rules: Record<keyof EmbedderChunkOptions, Rule> = {
    maxTokens: integer(1, 2 ** 31 - 1),
    overlap: integer(0, 2 ** 31 - 1),
    ...promptRules,
  };
  checkOptions(options, rules, 'chunk');
}
