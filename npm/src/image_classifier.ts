/// <reference lib="esnext.disposable" preserve="true" />

import type { Classification, ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './classifier_types.js';
import { classification } from './lazy_parts.js';
import type { ImageInput, LoadedModelInfo, ModelSource } from './types.js';

/**
 * An image network: pictures in, classes out. Calls queue and run one after another; a failed one leaves it usable. What
 * classifies is loaded with the first model (classifier.ts), for the sake of pages that never do.
 */
export abstract class ImageClassifier {
  /** What the file says, and how it runs. */
  abstract readonly info: LoadedModelInfo;
  /** Names of the classes: those of the load, else 'class 0', 'class 1' ... */
  abstract readonly labels: readonly string[];
  /** Side of the square that the network sees of a picture. */
  abstract readonly inputSize: number;
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  /**
   * Loads a ResNet from a tinyRuntime file.
   * @throws QuintetError FORMAT for a broken file, IO where the bytes cannot be had; UNSUPPORTED, INPUT, MEMORY,
   *   ABORTED
   */
  static async load(source: ModelSource, options?: ClassifierLoadOptions): Promise<ImageClassifier> {
    return (await classification()).loadImageClassifier(ImageClassifier, source, options);
  }

  /** The likeliest classes, best first. The picture is taken as it is at the call. */
  abstract classify(image: ImageInput, options?: ClassifyOptions): Promise<Classification[]>;

  /** Those of several, in their order. Each is read when its turn comes: leave them as they are until the end. */
  abstract classifyBatch(images: readonly ImageInput[], options?: ClassifyBatchOptions): Promise<Classification[][]>;

  /**
   * The network's own numbers, one a class: of a picture, or of an input that is already prepared, values
   * [channels][height][width] of any size that the network can take.
   */
  abstract logits(image: ImageInput): Promise<Float32Array>;
  abstract logits(
    input: Float32Array,
    shape: readonly [channels: number, height: number, width: number],
  ): Promise<Float32Array>;

  /** Frees the model. Calls that still wait, and all later ones, fail with CLOSED. */
  abstract close(): void;
}
