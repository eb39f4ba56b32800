// What an Embedder asks of the model behind it.

import type { CallWatch, Description, HostLoadOptions } from './backend.js';
import type { ModelFormat } from './types.js';

/** The checked options of a load, without those that only the caller's side needs. */
export interface EmbedderLoadOptions extends HostLoadOptions {
  format: ModelFormat | '';
  /** 0: not given. */
  attentionHeads: number;
}

export interface EmbedderDescription extends Description {
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

export interface EmbedderCalls {
  /** `first` is the index of the first text in the caller's list, for messages. */
  embed(watch: CallWatch, texts: readonly string[], first: number, settings: EmbedSettings): Promise<EmbedResult>;
  embedIds(watch: CallWatch, ids: Int32Array, settings: EmbedSettings): Promise<Float32Array>;
  tokenize(watch: CallWatch, text: string): Promise<Int32Array>;
  countTokens(watch: CallWatch, text: string): Promise<number>;
  tokens(watch: CallWatch, ids: Int32Array): Promise<string[]>;
}
