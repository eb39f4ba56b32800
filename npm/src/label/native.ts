// The exports of the WebAssembly module for embedders that are for classifiers (bindings/embedder/labeler.cc).

import type {
  NativeHandle,
  NativeInstance,
  NativeKernels,
  NativeOverlappingLoader,
  Outcome,
} from '../engine/native.js';

export interface NativeLabeler extends NativeHandle {
  /** Default maximum number of tokens per text, special tokens included. */
  maxLength(): number;
  /** The maximum number of tokens. */
  maxPositions(): number;
  /** The model's description as JSON. */
  info(): string;
  /** The model's label settings, as JSON: LabelerUsage. */
  usage(): string;

  /**
   * Buffer for the UTF-8 of one text, null if out of memory. Fill it, then call a method below with its length in
   * bytes.
   */
  textWindow(bytes: number): Uint8Array | null;
  /** Queues a text for the next run, cut to maxLength tokens. Returns the number of tokens before that. */
  queueText(bytes: number, maxLength: number): Outcome<number>;
  /** Likewise, with a pair of texts, of which the first has `firstBytes` and is the one that is cut. */
  queuePair(bytes: number, firstBytes: number, maxLength: number): Outcome<number>;
  /** Queues a text whose tokens get labels, in windows of maxLength tokens. */
  queueWindows(bytes: number, maxLength: number): Outcome<undefined>;
  /** Queues token ids as they are; `types`: empty, or one per id. */
  queueIds(ids: Int32Array, types: Int32Array): Outcome<undefined>;
  queuedTokens(): number;
  /** The tokens of the texts that were queued by queueWindows, until the queue is emptied: TokenLogits. */
  tokens(): Int32Array;
  /** Starts the forward pass over the whole queue: packed, not padded. */
  begin(): Outcome<undefined>;
  /** Computes for a few milliseconds; true when the pass is complete. */
  step(): Outcome<boolean>;
  /** [texts or tokens][labels] of the completed pass. Empties the queue. */
  takeLogits(): Float32Array;
  /** Discards the queue and the pass. */
  cancel(): void;
}

/** quintet-embedder-*.wasm */
export interface NativeLabelerModule extends NativeInstance, NativeKernels {
  /** `format`: a ModelFormat, or '' to detect it. */
  LabelerLoader: new (
    format: string,
    toInt8: boolean,
    perToken: boolean,
  ) => NativeOverlappingLoader<NativeLabeler>;
}
