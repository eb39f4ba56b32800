// The exports of the WebAssembly module for embedders (bindings/embedder).

import type {
  NativeHandle,
  NativeInstance,
  NativeKernels,
  NativeOverlappingLoader,
  Outcome,
} from '../engine/native.js';
import type { Pooling } from './options.js';

export interface NativeEmbedder extends NativeHandle {
  dimension(): number;
  /** Default maximum number of tokens per text, special tokens included. */
  maxLength(): number;
  /** The maximum number of tokens. */
  maxPositions(): number;
  /** The model's description as JSON. */
  info(): string;
  /** An EmbedderUsage as JSON. */
  usage(): string;

  /**
   * Buffer for the UTF-8 of one text, null if out of memory. Fill it, then call a method below with its length in
   * bytes.
   */
  textWindow(bytes: number): Uint8Array | null;
  /** All ids, special tokens included, without truncation. */
  tokenize(bytes: number): Outcome<Int32Array>;
  countTokens(bytes: number): Outcome<number>;
  /** The vocabulary entry of an id; empty for an id outside the vocabulary. */
  token(id: number): string;
  /**
   * Queues a text, of which the first `promptBytes` are a prompt, for the next run, truncated to maxLength tokens or,
   * with `chunk`, split into parts of at most that many tokens whose vectors are averaged, weighted by length. Returns
   * the number of tokens before truncation.
   */
  queueText(bytes: number, promptBytes: number, maxLength: number, chunk: boolean): Outcome<number>;
  /** Queues token ids as they are. */
  queueIds(ids: Int32Array): Outcome<undefined>;
  /**
   * For a model with vectors of tokens or sparse vectors, whose queue the methods below count, compute and discard:
   * queues a text, truncated to maxLength tokens (0: the default), and returns the number of tokens before that.
   */
  queueTokenText(bytes: number, isQuery: boolean, maxLength: number): Outcome<number>;
  queueTokenIds(ids: Int32Array, isQuery: boolean): Outcome<undefined>;
  beginTokens(): Outcome<undefined>;
  /** The entries of all queued texts, in order, and how many each has. Empties the queue. */
  takeTokens(): { counts: Int32Array; indices: Int32Array; values: Float32Array };
  queuedTokens(): number;
  /** Starts the forward pass over the whole queue: packed, not padded. */
  begin(pooling: Pooling, normalize: boolean, dimensions: number): Outcome<undefined>;
  /** Computes for a few milliseconds; true when the pass is complete. */
  step(): Outcome<boolean>;
  /** The vectors of the completed pass, one row per queued text, in order. Empties the queue. */
  take(): Float32Array;
  /** Discards the queue and the pass. */
  cancel(): void;
}

/** quintet-embedder-*.wasm */
export interface NativeEmbedderModule extends NativeInstance, NativeKernels {
  /** `format`: a ModelFormat, or '' to detect it. */
  EmbedderLoader: new (
    format: string,
    attentionHeads: number,
    toInt8: boolean,
    task: string,
  ) => NativeOverlappingLoader<NativeEmbedder>;
}
