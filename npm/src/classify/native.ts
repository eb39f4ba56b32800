// The exports of the WebAssembly module for image classifiers (bindings/classifier).

import type { NativeFileLoader, NativeHandle, NativeInstance, NativeKernels, Outcome } from '../engine/native.js';

/**
 * An image network. Each `begin…` starts a pass over one image and discards the previous one; then `step()` until it
 * returns true, then `take()`. Sizes that are not integers or too large are INPUT.
 */
export interface NativeClassifier extends NativeHandle {
  /** The model's description as JSON. */
  info(): string;
  /** A ClassifierDescription without `info` and `runtime` as JSON. */
  usage(): string;
  /** Changes how pictures are prepared; 0 and empty lists leave what the files say. */
  prepareAs(size: number, shorterSide: number, mean: ArrayLike<number>, std: ArrayLike<number>): Outcome<undefined>;

  /** Buffer for the samples of one picture, null if out of memory. Fill it, then call `beginPicture`. */
  pixelWindow(bytes: number): Uint8Array | null;
  /** The buffer holds exactly [height][width][channels]; `channels`: 1, 3 or 4. It is released afterwards. */
  beginPicture(width: number, height: number, channels: number, features: boolean): Outcome<undefined>;
  /** Such a picture as the network takes it. */
  prepare(width: number, height: number, channels: number): Outcome<NativePrepared>;
  /** Buffer for a preprocessed input of this many values, null if out of memory. Fill it, then call `beginInput`. */
  inputWindow(values: number): Float32Array | null;
  /** The buffer holds exactly [channels][height][width]. It is released afterwards. */
  beginInput(channels: number, height: number, width: number): Outcome<undefined>;

  /** Computes for a few milliseconds; true when the logits are ready. */
  step(): Outcome<boolean>;
  /** The logits of the completed pass, one per class, or the features; empty without a completed pass. Ends the pass. */
  take(): Float32Array;
  /** Discards the pass. */
  cancel(): void;
}

/** [3][height][width] */
export interface NativePrepared {
  data: Float32Array;
  height: number;
  width: number;
}

/** quintet-classifier-*.wasm */
export interface NativeClassifierModule extends NativeInstance, NativeKernels {
  /**
   * `format`: a ModelFormat, or '' to detect it; `kind`: as in ClassifierLoadOptions, or '' to infer it from the size
   * of the file.
   */
  ClassifierLoader: new (
    format: string,
    kind: string,
  ) => NativeFileLoader<NativeClassifier>;
}
