// What stands behind an Embedder: the model in this thread (embedder_host.ts) or in a worker (worker_client.ts).

import type { EngineRuntime } from './engine.js';
import type { LoadOptions, LoadProgress, ModelFormat, ModelInfo } from './types.js';
import type { WasmSource } from './wasm_module.js';

/** The checked options of a load, without those that only the caller's side needs. */
export interface HostLoadOptions {
  format: ModelFormat | '';
  variant: NonNullable<LoadOptions['variant']>;
  integrity: string | undefined;
  wasm: WasmSource | undefined;
  /** 0: not given. */
  attentionHeads: number;
}

export interface LoadWatch {
  signal: AbortSignal | undefined;
  onProgress: ((progress: LoadProgress) => void) | undefined;
}

export interface EmbedderDescription {
  info: ModelInfo;
  runtime: EngineRuntime;
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

export interface EmbedderBackend {
  readonly description: EmbedderDescription;
  /** `first` is the index of the first text in the caller's list, for messages. */
  embed(texts: readonly string[], first: number, settings: EmbedSettings, signal?: AbortSignal): Promise<EmbedResult>;
  embedIds(ids: Int32Array, settings: EmbedSettings, signal?: AbortSignal): Promise<Float32Array>;
  tokenize(text: string): Promise<Int32Array>;
  countTokens(text: string): Promise<number>;
  tokens(ids: Int32Array): Promise<string[]>;
  close(): void;
}
