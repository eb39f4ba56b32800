// The exports of the WebAssembly module for embedders that are for rerankers (bindings/embedder/reranker.cc).

import type {
  NativeHandle,
  NativeInstance,
  NativeKernels,
  NativeOverlappingLoader,
  Outcome,
} from '../engine/native.js';

export interface NativeReranker extends NativeHandle {
  /** Default maximum number of tokens per pair, special tokens included. */
  maxLength(): number;
  /** The maximum number of tokens. */
  maxPositions(): number;
  /** The model's description as JSON. */
  info(): string;

  /**
   * Buffer for the UTF-8 of one text, null if out of memory. Fill it, then call a method below with its length in
   * bytes.
   */
  textWindow(bytes: number): Uint8Array | null;
  /** The query of all texts that are queued after it. */
  setQuery(bytes: number): Outcome<undefined>;
  /**
   * Queues the pair of the query and a text for the next run; the longer of both is cut to fit into maxLength tokens.
   * Returns the number of tokens before that.
   */
  queueText(bytes: number, maxLength: number): Outcome<number>;
  /** Queues token ids as they are; `types`: empty, or one per id. */
  queueIds(ids: Int32Array, types: Int32Array): Outcome<undefined>;
  queuedTokens(): number;
  /** Starts the forward pass over the whole queue: packed, not padded. */
  begin(): Outcome<undefined>;
  /** Computes for a few milliseconds; true when the pass is complete. */
  step(): Outcome<boolean>;
  /** The scores of the completed pass, in order. Empties the queue. */
  takeScores(): Float32Array;
  /** The scores without the model's activation. Empties the queue. */
  takeLogits(): Float32Array;
  /** Discards the queue and the pass. */
  cancel(): void;
}

/** quintet-embedder-*.wasm */
export interface NativeRerankerModule extends NativeInstance, NativeKernels {
  /** `format`: a ModelFormat, or '' to detect it. */
  RerankerLoader: new (
    format: string,
    toInt8: boolean,
  ) => NativeOverlappingLoader<NativeReranker>;
}
