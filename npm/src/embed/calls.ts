// What an Embedder asks of the model behind it.

import type { ModelFormat } from '../base/types.js';
import type { CallWatch, HostLoadOptions, MethodTable, ModelDescription } from '../remote/calls.js';
import type { ModelHandle } from '../remote/model_handle.js';
import type { TextChunk } from '../text/chunk_text.js';

/** The checked options of a load, without those that only the caller's side needs. */
export interface EmbedderHostOptions extends HostLoadOptions {
  format: ModelFormat | '';
  /** 0: not given. */
  attentionHeads: number;
}

export interface EmbedderDescription extends ModelDescription {
  dimension: number;
  maxLength: number;
  maxPositions: number;
}

/** Options of one run, all settled. */
export interface EmbedSettings {
  pooling: 'mean' | 'cls' | 'max';
  normalize: boolean;
  maxLength: number;
  truncate: 'end' | 'error' | 'chunk';
}

export interface EmbedResult {
  /** One row per text. */
  vectors: Float32Array;
  /** Tokens of every text before cutting. */
  tokens: Int32Array;
}

/** What `encode` gives. */
export interface Encoding {
  /** Row-major: text `i` has the elements from `i * dimension` on. */
  vectors: Float32Array;
  dimension: number;
  /** Tokens of every text before cutting, [CLS] and [SEP] included. */
  tokens: Int32Array;
  /** 1 for every text that was cut. */
  truncated: Uint8Array;
}

export interface EmbedderCalls {
  /** `first` is the index of the first text in the caller's list, for messages. */
  embed(watch: CallWatch, texts: readonly string[], first: number, settings: EmbedSettings): Promise<EmbedResult>;
  embedIds(watch: CallWatch, ids: Int32Array, settings: EmbedSettings): Promise<Float32Array>;
  tokenize(watch: CallWatch, text: string): Promise<Int32Array>;
  countTokens(watch: CallWatch, text: string): Promise<number>;
  tokens(watch: CallWatch, ids: Int32Array): Promise<string[]>;
  chunk(watch: CallWatch, text: string, maxTokens: number, overlap: number): Promise<TextChunk[]>;
}

export const embedderMethods: MethodTable<EmbedderCalls> = {
  embed: true,
  embedIds: true,
  tokenize: true,
  countTokens: true,
  tokens: true,
  chunk: true,
};

export type EmbedderHandle = ModelHandle<EmbedderCalls, EmbedderDescription>;
