/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadedModelInfo, ModelInput } from '../base/types.js';
import type { ImageInput, PreparedImage } from '../images/types.js';
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
  /** Names of the classes: the option `labels`, those of the model's files, or 'class 0', 'class 1', ... */
  readonly labels: readonly string[];
  /** Height in pixels of the input that images are scaled and cropped to, which is usually a square. */
  readonly inputSize: number;

  private constructor(private readonly runs: ClassifyRuns) {
    super();
    this.info = runs.handle.info;
    this.labels = runs.labels;
    this.inputSize = runs.handle.description.inputSize;
    runs.handle.ownedBy(this);
  }

  /**
   * Loads an image network: a folder of Hugging Face or timm (also `hf:OWNER/NAME`), a safetensors file with
   * torchvision's names, or a ResNet in a tinyRuntime file.
   * @throws QuintetError FORMAT for a damaged file, IO if it cannot be read; UNSUPPORTED, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: ClassifierLoadOptions): Promise<ImageClassifier> {
    return new ImageClassifier(await (await classifying()).loadClassifier(source, options));
  }

  /** The most probable classes of an image, best first. The image is captured at the time of the call. */
  async classify(image: ImageInput, options?: ClassifyOptions): Promise<Classification[]> {
    return this.runs.classify(image, options);
  }

  /**
   * Classifies several images, in order. Each is read just before it is classified, so do not change them before the
   * call is done.
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

  /** The vector that the network's classifier reads, for your own classes or for finding similar images. */
  async features(image: ImageInput): Promise<Float32Array> {
    return this.runs.features(image);
  }

  /** The image in the form that the network expects: scaled, cropped and normalized. */
  async prepare(image: ImageInput): Promise<PreparedImage> {
    return this.runs.prepare(image);
  }

  /** Frees the model. Pending and later calls fail with CLOSED. */
  close(): void {
    this.runs.handle.close();
  }
}
