/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyPart } from '../base/lazy_part.js';
import type { LoadedModelInfo, ModelSource } from '../base/types.js';
import type { ImageInput } from '../images/pixels.js';
import type { ClassifyRuns } from './runs.js';
import type { Classification, ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './types.js';

/** What classifies comes with the first model, for the sake of pages that never do. */
const classifying = lazyPart(() => import('./runs.js'), 'loadClassifier');

/** An image network: pictures in, classes out. Calls queue and run one after another; a failed one leaves it usable. */
export class ImageClassifier extends Disposable {
  /** What the file says, and how it runs. */
  readonly info: LoadedModelInfo;
  /** Names of the classes: those of the load, else 'class 0', 'class 1' ... */
  readonly labels: readonly string[];
  /** Side of the square that the network sees of a picture. */
  readonly inputSize: number;

  private constructor(private readonly runs: ClassifyRuns) {
    super();
    this.info = runs.handle.info;
    this.labels = runs.labels;
    this.inputSize = runs.preparation.size;
    runs.handle.ownedBy(this);
  }

  /**
   * Loads a ResNet from a tinyRuntime file.
   * @throws QuintetError FORMAT for a broken file, IO where the bytes cannot be had; UNSUPPORTED, INPUT, MEMORY,
   *   ABORTED
   */
  static async load(source: ModelSource, options?: ClassifierLoadOptions): Promise<ImageClassifier> {
    return new ImageClassifier(await (await classifying()).loadClassifier(source, options));
  }

  /** The likeliest classes, best first. The picture is taken as it is at the call. */
  async classify(image: ImageInput, options?: ClassifyOptions): Promise<Classification[]> {
    return this.runs.classify(image, options);
  }

  /** Those of several, in their order. Each is read when its turn comes: leave them as they are until the end. */
  async classifyBatch(images: readonly ImageInput[], options?: ClassifyBatchOptions): Promise<Classification[][]> {
    return this.runs.classifyBatch(images, options);
  }

  /**
   * The network's own numbers, one a class: of a picture, or of an input that is already prepared, values
   * [channels][height][width] of any size that the network can take.
   */
  logits(image: ImageInput): Promise<Float32Array>;
  logits(
    input: Float32Array,
    shape: readonly [channels: number, height: number, width: number],
  ): Promise<Float32Array>;
  async logits(
    input: ImageInput | Float32Array,
    shape?: readonly [channels: number, height: number, width: number],
  ): Promise<Float32Array> {
    return this.runs.logits(input, shape);
  }

  /** Frees the model. Calls that still wait, and all later ones, fail with CLOSED. */
  close(): void {
    this.runs.handle.close();
  }
}
