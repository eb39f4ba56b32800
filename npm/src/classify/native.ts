// The exports of the WebAssembly module for image classifiers (bindings/classifier).

import type { NativeHandle, NativeInstance, NativeKernels, NativeReader, Outcome } from '../engine/native.js';

/** Loads an image network from a tinyRuntime file; other formats are UNSUPPORTED. */
export type NativeClassifierLoader = NativeReader<NativeClassifier>;

/**
 * An image network. Each `begin…` starts a pass over one image and discards the previous one; then `step()` until it
 * returns true, then `take()`. Sizes that are not integers or too large are INPUT.
 */
export interface NativeClassifier extends NativeHandle {
  /** The model's description as JSON. */
  info(): string;
  classes(): number;
  inputChannels(): number;
  /** Usual input size of such a network: 224, or 32 for CIFAR networks. */
  usualInputSize(): number;

  /** Buffer for the samples of one picture, null if out of memory. Fill it, then call `beginPicture`. */
  pixelWindow(bytes: number): Uint8Array | null;
  /**
   * The buffer holds exactly [height][width][channels]; `channels`: 1, 3 or 4. The picture is scaled until its shorter
   * side is `shorterSide`, the central `size` x `size` pixels are cropped and normalized: (sample / 255 - mean) /
   * deviation, with one value each for red, green and blue. The buffer is released afterwards.
   */
  beginPicture(
    width: number,
    height: number,
    channels: number,
    size: number,
    shorterSide: number,
    mean: ArrayLike<number>,
    standardDeviation: ArrayLike<number>,
  ): Outcome<undefined>;
  /** Buffer for a preprocessed input of this many values, null if out of memory. Fill it, then call `beginInput`. */
  inputWindow(values: number): Float32Array | null;
  /** The buffer holds exactly [channels][height][width]. It is released afterwards. */
  beginInput(channels: number, height: number, width: number): Outcome<undefined>;

  /** Computes for a few milliseconds; true when the logits are ready. */
  step(): Outcome<boolean>;
  /** The logits of the completed pass, one per class; empty without a completed pass. Ends the pass. */
  take(): Float32Array;
  /** Discards the pass. */
  cancel(): void;
}

/** quintet-classifier-*.wasm */
export interface NativeClassifierModule extends NativeInstance, NativeKernels {
  /**
   * `format`: a ModelFormat, or '' to detect it; `kind`: as in ClassifierLoadOptions, or '' to infer it from the file
   * size; `total`: size of the input in bytes, or -1 if unknown.
   */
  ClassifierLoader: new (
    format: string,
    kind: string,
    total: number,
  ) => NativeClassifierLoader;
}
