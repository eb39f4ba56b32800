// The exports of the WebAssembly module for image embedders (bindings/image_embedder).

import type { NativeFileLoader, NativeInstance, NativeKernels, NativePictureModel, Outcome } from '../engine/native.js';

/** Methods of a tower that is not loaded fail with UNSUPPORTED. */
export interface NativeImageEmbedder extends NativePictureModel {
  /** The buffer holds exactly [height][width][channels]; `channels`: 1, 3 or 4. It is released afterwards. */
  beginPicture(width: number, height: number, channels: number): Outcome<undefined>;
  /** With special tokens, cut to the model's maximum length. */
  beginText(text: string): Outcome<undefined>;
  /** Token ids, unchanged. */
  beginIds(ids: Uint32Array): Outcome<undefined>;
  /** All ids, special tokens included, without truncation. */
  tokenize(text: string): Outcome<ArrayLike<number>>;
}

/** quintet-image_embedder-*.wasm */
export interface NativeImageEmbedderModule extends NativeInstance, NativeKernels {
  /** `format`: a ModelFormat, or '' to detect it; `towers`: as in ImageEmbedderLoadOptions. */
  ImageEmbedderLoader: new (
    format: string,
    towers: string,
    toInt8: boolean,
  ) => NativeFileLoader<NativeImageEmbedder>;
}
