// The exports of the WebAssembly module for image classifiers (bindings/classifier).

import type { NativeFileLoader, NativeInstance, NativeKernels, NativePictureModel, Outcome } from '../engine/native.js';

export interface NativeClassifier extends NativePictureModel {
  /** Changes how pictures are prepared; 0 and empty lists leave the settings of the files. */
  prepareAs(size: number, shorterSide: number, mean: ArrayLike<number>, std: ArrayLike<number>): Outcome<undefined>;
  /**
   * The buffer holds exactly [height][width][channels]; `channels`: 1, 3 or 4. It is released afterwards. The result is
   * the logits, one per class, or the features.
   */
  beginPicture(width: number, height: number, channels: number, features: boolean): Outcome<undefined>;
}

/** quintet-classifier-*.wasm */
export interface NativeClassifierModule extends NativeInstance, NativeKernels {
  /**
   * `format`: a ModelFormat, or '' to detect it; `kind`: as in ClassifierLoadOptions, or '' to infer it from the size
   * of the file; `toInt8`: quantizes what computes single pixels.
   */
  ClassifierLoader: new (
    format: string,
    kind: string,
    toInt8: boolean,
  ) => NativeFileLoader<NativeClassifier>;
}
