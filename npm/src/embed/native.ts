// The exports of the WebAssembly module for embedders (bindings/embedder).

import type { NativeHandle, NativeInstance, NativeIntake, NativeKernels, Outcome } from '../engine/native.js';

export interface NativeEmbedder extends NativeHandle {
  dimension(): number;
  /** Default maximum number of tokens per text, including [CLS] and [SEP]. */
  maxLength(): number;
  /** Number of position embeddings: the maximum number of tokens. */
  maxPositions(): number;
  /** The model's description as JSON. */
  info(): string;

  /**
   * Buffer for the UTF-8 of one text, null if out of memory. Fill it, then call a method below with its length in
   * bytes.
   */
  textWindow(bytes: number): Uint8Array | null;
  /** All ids including [CLS] and [SEP], without truncation. */
  tokenize(bytes: number): Outcome<Int32Array>;
  countTokens(bytes: number): Outcome<number>;
  /** The vocabulary entry of an id; empty for an id outside the vocabulary. */
  token(id: number): string;
  /**
   * Queues a text for the next run, truncated to maxLength tokens or, with `chunk`, split into parts of at most that
   * many tokens whose vectors are averaged, weighted by length. Returns the number of tokens before truncation.
   */
  queueText(bytes: number, maxLength: number, chunk: boolean): Outcome<number>;
  /** Queues token ids as they are. */
  queueIds(ids: Int32Array): Outcome<undefined>;
  queuedTokens(): number;
  /** Starts the forward pass over the whole queue: packed, not padded. */
  begin(pooling: 'mean' | 'cls' | 'max', normalize: boolean): Outcome<undefined>;
  /** Computes for a few milliseconds; true when the pass is complete. */
  step(): Outcome<boolean>;
  /** The vectors of the completed pass, one row per queued text, in order. Empties the queue. */
  take(): Float32Array;
  /** Discards the queue and the pass. */
  cancel(): void;
}

/** quintet-embedder-*.wasm */
export interface NativeEmbedderModule extends NativeInstance, NativeKernels {
  /** `format`: a ModelFormat, or '' to detect it; `total`: size of the input in bytes, or -1 if unknown. */
  EmbedderLoader: new (format: string, total: number, attentionHeads: number) => NativeIntake<NativeEmbedder>;
}
