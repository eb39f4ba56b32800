/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadedModelInfo, ModelSource } from '../base/types.js';
import type { ImageInput } from '../images/types.js';
import type { ClassifyRuns } from './client.js';
import type { Classification, ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './types.js';

/** Loaded with the first model, so that pages that classify nothing do not download it. */
const classifying = lazyModule(() => import('./client.js'), 'loadClassifier');

/**
 * An image classifier: images in, classes out. Calls are queued and run one at a time, in order. A failed call leaves
 * the classifier usable.
 */
export class ImageClassifier extends Disposable {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  /** Names of the classes: the option `labels`, or 'class 0', 'class 1', ... */
  readonly labels: readonly string[];
  /** Side length in pixels of the square input that images are scaled and cropped to. */
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
   * @throws QuintetError FORMAT for a damaged file, IO if it cannot be read; UNSUPPORTED, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelSource, options?: ClassifierLoadOptions): Promise<ImageClassifier> {
    return new ImageClassifier(await (await classifying()).loadClassifier(source, options));
  }

  /** The most probable classes of an image, best first. The image is captured at the time of the call. */
  async classify(image: ImageInput, options?: ClassifyOptions): Promise<Classification[]> {
    return this.runs.classify(image, options);
  }

  /**
   * Classifies several images, in order. Each is read when its turn comes, so do not change them before the call is
   * done.
   */
  async classifyBatch(images: readonly ImageInput[], options?: ClassifyBatchOptions): Promise<Classification[][]> {
    return this.runs.classifyBatch(images, options);
  }

  /**
   * The raw output of the network, one value per class. The input is an image, or preprocessed values of shape
   * [channels, height, width], of any size that the network accepts.
   */
  logits(image: ImageInput): Promise<Float32Array>;
  logits(input: Float32Array, shape: readonly [channels: number, height: number, width: number]): Promise<Float32Array>;
  async logits(
    input: ImageInput | Float32Array,
    shape?: readonly [channels: number, height: number, width: number],
  ): Promise<Float32Array> {
    return this.runs.logits(input, shape);
  }

  /** Frees the model. Pending and later calls fail with CLOSED. */
  close(): void {
    this.runs.handle.close();
  }
}
