// What the wasm module of embedders exports (bindings/embedder).

import type { NativeHandle, NativeInstance, NativeIntake, NativeKernels, Outcome } from '../engine/native.js';

export interface NativeEmbedder extends NativeHandle {
  dimension(): number;
  /** Default limit of tokens of one text, [CLS] and [SEP] included. */
  maxLength(): number;
  /** Most tokens that the position embeddings allow. */
  maxPositions(): number;
  /** The model's description as JSON. */
  info(): string;

  /** Room for the UTF-8 of one text, null where there is no memory; then a call below with its length in bytes. */
  textWindow(bytes: number): Uint8Array | null;
  /** All ids with [CLS] and [SEP], not cut. */
  tokenize(bytes: number): Outcome<Int32Array>;
  countTokens(bytes: number): Outcome<number>;
  /** The vocabulary's text of one id; empty for an id outside of it. */
  token(id: number): string;
  /**
   * Queues a text for the next run, cut to maxLength tokens or, with `chunk`, split into parts of at most that many
   * whose vectors are averaged by length. Gives the number of tokens before cutting.
   */
  queueText(bytes: number, maxLength: number, chunk: boolean): Outcome<number>;
  /** Queues token ids as they are. */
  queueIds(ids: Int32Array): Outcome<undefined>;
  queuedTokens(): number;
  /** Starts the forward pass over all that is queued: packed, not padded. */
  begin(pooling: 'mean' | 'cls' | 'max', normalize: boolean): Outcome<undefined>;
  /** Computes for a few milliseconds; true when the pass is complete. */
  step(): Outcome<boolean>;
  /** The vectors of the completed pass, one row per queued text, in order. Empties the queue. */
  take(): Float32Array;
  /** Forgets queue and pass. */
  cancel(): void;
}

/** quintet-embedder-*.wasm */
export interface NativeEmbedderModule extends NativeInstance, NativeKernels {
  /** `format`: a name of ModelFormat or ''; `total`: bytes of the input, or -1 where unknown. */
  EmbedderLoader: new (format: string, total: number, attentionHeads: number) => NativeIntake<NativeEmbedder>;
}
