// The calls from an Embedder to its host.

import type { ModelFormat } from '../base/types.js';
import type { TextChunk } from '../text/chunker.js';
import type { CallContext, HostLoadOptions, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';
import type { Pooling, TextRole, VectorKind } from './options.js';

/** The checked options of a load, without those that are only used on the caller's side. */
export interface EmbedderHostOptions extends HostLoadOptions {
  format: ModelFormat | '';
  /** 0: not given. */
  attentionHeads: number;
  /** '': none. */
  task: string;
  quantize: 'none' | 'int8';
}

/** Settings of the model, from its files, with defaults filled in. */
export interface EmbedderUsage {
  vectors: VectorKind;
  pooling: Pooling;
  normalize: boolean;
  prompts: Record<string, string>;
  defaultPrompt?: string;
  /** Default maximum number of tokens of each role, of a model that gives other than dense vectors. */
  maxLengths?: Record<TextRole, number>;
  /** Whether it is a further head of bge-m3, which has no roles. A sparse one gets vectors of tokens from the host. */
  isFurtherHead?: boolean;
}

export interface EmbedderDescription extends ModelDescription {
  usage: EmbedderUsage;
  dimension: number;
  maxLength: number;
  maxPositions: number;
}

/** Options of one run, with defaults filled in. */
export interface EmbedSettings {
  pooling: Pooling;
  normalize: boolean;
  /** Put before every text. */
  prompt: string;
  dimensions: number;
  maxLength: number;
  truncate: 'end' | 'error' | 'chunk';
}

export interface EmbedResult {
  /** One row per text. */
  vectors: Float32Array;
  /** Number of tokens of each text before truncation. */
  tokens: Int32Array;
}

/** Options of one run for an entry of each token, with defaults filled in. */
export interface TokenSettings {
  role: TextRole;
  /** Put before every text. */
  prompt: string;
  /** 0: the default of the role. */
  maxLength: number;
}

export interface TokenResult {
  /** Number of entries of each text. */
  counts: Int32Array;
  /** The entries of all texts. */
  indices: Int32Array;
  values: Float32Array;
  /** Number of tokens of each text before truncation. */
  tokens: Int32Array;
}

export interface EmbedderCalls {
  /** `first` is the index of the first text in the caller's list, for messages. */
  embed(watch: CallContext, texts: readonly string[], first: number, settings: EmbedSettings): Promise<EmbedResult>;
  embedIds(watch: CallContext, ids: Int32Array, settings: EmbedSettings): Promise<Float32Array>;
  embedTokens(watch: CallContext, texts: readonly string[], settings: TokenSettings): Promise<TokenResult>;
  embedTokenIds(watch: CallContext, ids: Int32Array, role: TextRole): Promise<TokenResult>;
  tokenize(watch: CallContext, text: string): Promise<Int32Array>;
  countTokens(watch: CallContext, text: string): Promise<number>;
  tokenTexts(watch: CallContext, ids: Int32Array): Promise<string[]>;
  chunk(watch: CallContext, text: string, prompt: string, maxTokens: number, overlap: number): Promise<TextChunk[]>;
}

export type EmbedderHandle = ModelHandle<EmbedderCalls, EmbedderDescription>;
