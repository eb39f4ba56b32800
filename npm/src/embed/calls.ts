// The calls from an Embedder to its host.

import type { ModelFormat } from '../base/types.js';
import type { TextChunk } from '../text/chunker.js';
import type { CallContext, HostLoadOptions, MethodTable, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';
import type { Pooling } from './options.js';

/** The checked options of a load, without those that are only used on the caller's side. */
export interface EmbedderHostOptions extends HostLoadOptions {
  format: ModelFormat | '';
  /** 0: not given. */
  attentionHeads: number;
  quantize: 'none' | 'int8';
}

/** What the model's files say about its use, with defaults filled in. */
export interface EmbedderUsage {
  pooling: Pooling;
  normalize: boolean;
  prompts: Record<string, string>;
  defaultPrompt?: string;
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

export interface EmbedderCalls {
  /** `first` is the index of the first text in the caller's list, for messages. */
  embed(watch: CallContext, texts: readonly string[], first: number, settings: EmbedSettings): Promise<EmbedResult>;
  embedIds(watch: CallContext, ids: Int32Array, settings: EmbedSettings): Promise<Float32Array>;
  tokenize(watch: CallContext, text: string): Promise<Int32Array>;
  countTokens(watch: CallContext, text: string): Promise<number>;
  tokenTexts(watch: CallContext, ids: Int32Array): Promise<string[]>;
  chunk(watch: CallContext, text: string, prompt: string, maxTokens: number, overlap: number): Promise<TextChunk[]>;
}

export const embedderMethods: MethodTable<EmbedderCalls> = {
  embed: true,
  embedIds: true,
  tokenize: true,
  countTokens: true,
  tokenTexts: true,
  chunk: true,
};

export type EmbedderHandle = ModelHandle<EmbedderCalls, EmbedderDescription>;
