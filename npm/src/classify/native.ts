// What the wasm module of image classifiers exports (bindings/classifier).

import type { NativeHandle, NativeInstance, NativeIntake, NativeKernels, Outcome } from '../engine/native.js';

/** Loads an image network from a tinyRuntime file; other formats are UNSUPPORTED. */
export type NativeClassifierLoader = NativeIntake<NativeClassifier>;

/**
 * An image network. Each `begin…` starts a pass over one image and forgets the one before; then `step()` until it is true,
 * then `take()`. Sizes that are no whole numbers, or too large, are INPUT.
 */
export interface NativeClassifier extends NativeHandle {
  /** The model's description as JSON. */
  info(): string;
  classes(): number;
  inputChannels(): number;
  /** Side of the pictures that such a network is made for: 224, or 32 for those of CIFAR. */
  usualInputSize(): number;

  /** Room for the samples of one picture, null where there is no memory; then `beginPicture`. */
  pixelWindow(bytes: number): Uint8Array | null;
  /**
   * The window holds [height][width][channels], all of it; `channels`: 1, 3 or 4. The picture is scaled until its shorter
   * side is `shorterSide`, `size` x `size` are cut from its middle and normalised: (sample / 255 - mean) / deviation, three
   * numbers each, for red, green and blue. The window is empty afterwards.
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
  /** Room for a prepared input of so many values, null where there is no memory; then `beginInput`. */
  inputWindow(values: number): Float32Array | null;
  /** The window holds [channels][height][width], all of it. It is empty afterwards. */
  beginInput(channels: number, height: number, width: number): Outcome<undefined>;

  /** Computes for a few milliseconds; true when the logits are there. */
  step(): Outcome<boolean>;
  /** One value a class, of the completed pass; none without one. Ends the pass. */
  take(): Float32Array;
  /** Forgets the pass. */
  cancel(): void;
}

/** quintet-classifier-*.wasm */
export interface NativeClassifierModule extends NativeInstance, NativeKernels {
  /** `kind`: of CommonLoadOptions, or '' where the file's size tells it. `format`: a name of ModelFormat or ''; `total`: bytes of the input, or -1 where unknown. */
  ClassifierLoader: new (format: string, kind: string, total: number) => NativeClassifierLoader;
}
