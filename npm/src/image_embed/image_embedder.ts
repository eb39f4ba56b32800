/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadedModelInfo, ModelInput } from '../base/types.js';
import type { ImageInput, PreparedImage } from '../images/types.js';
import type { ImageEmbedRuns } from './client.js';
import type {
  ImageEmbedderLoadOptions,
  ImageEmbedOptions,
  ImageStreamOptions,
  ScoredLabel,
  Tower,
  ZeroShotOptions,
} from './types.js';

/** Loaded with the first model, so that pages that embed no images do not download it. */
const embedding = lazyModule(() => import('./client.js'), 'loadImageEmbedder');

/**
 * A model that turns images into vectors and, if it has a tower of texts, texts into vectors of the same space: the
 * closer the vectors, the better a text describes an image. All vectors have length 1. Calls are queued and run one at
 * a time, in order. A failed call leaves the embedder usable.
 */
export class ImageEmbedder extends Disposable {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  /** Number of elements of a vector. */
  readonly dimension: number;
  /** The towers that are loaded: what vectors can be computed of. */
  readonly towers: readonly Tower[];

  private constructor(private readonly runs: ImageEmbedRuns) {
    super();
    const { dimension, towers } = runs.handle.description;
    this.info = runs.handle.info;
    this.dimension = dimension;
    this.towers = Object.freeze(towers);
    runs.handle.ownedBy(this);
  }

  /**
   * Loads CLIP, SigLIP or DINO: a folder of transformers, in Node also its path, or `hf:OWNER/NAME`.
   * @throws QuintetError FORMAT for a damaged file, IO if it cannot be read; UNSUPPORTED, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: ImageEmbedderLoadOptions): Promise<ImageEmbedder> {
    return new ImageEmbedder(await (await embedding()).loadImageEmbedder(source, options));
  }

  /**
   * The vector of an image, which is captured at the time of the call. For a list the result is a list of vectors in
   * the same order; each image is read when its turn comes, so do not change them before the call is done.
   * @throws QuintetError INPUT, FORMAT for a damaged image, UNSUPPORTED, ABORTED, CLOSED
   */
  embedImage(image: ImageInput, options?: ImageEmbedOptions): Promise<Float32Array>;
  embedImage(images: readonly ImageInput[], options?: ImageEmbedOptions): Promise<Float32Array[]>;
  async embedImage(
    images: ImageInput | readonly ImageInput[],
    options?: ImageEmbedOptions,
  ): Promise<Float32Array | Float32Array[]> {
    return this.runs.embedImage(images, options);
  }

  /**
   * Computes vectors of images as they arrive, and yields them in order. While one is computed, the next is read and
   * decoded; any number of images takes the memory of two.
   * @throws QuintetError as `embedImage`, unless `onError` gets it; the message begins with the index of the image
   */
  embedImageStream(
    images: Iterable<ImageInput> | AsyncIterable<ImageInput>,
    options?: ImageStreamOptions,
  ): AsyncGenerator<Float32Array, void, undefined> {
    return this.runs.embedImageStream(images, options);
  }

  /**
   * The vector of a text, or a list of vectors for a list of texts. Text beyond the limit of the model is cut off.
   * @throws QuintetError UNSUPPORTED without a tower of texts; INPUT, ABORTED, CLOSED
   */
  embedText(text: string, options?: ImageEmbedOptions): Promise<Float32Array>;
  embedText(texts: readonly string[], options?: ImageEmbedOptions): Promise<Float32Array[]>;
  async embedText(
    texts: string | readonly string[],
    options?: ImageEmbedOptions,
  ): Promise<Float32Array | Float32Array[]> {
    return this.runs.embedText(texts, options);
  }

  /** The vector of an image that is prepared already: normalized values of shape [channels, height, width]. */
  async embedPixels(
    data: Float32Array,
    shape: readonly [channels: number, height: number, width: number],
  ): Promise<Float32Array> {
    return this.runs.embedPixels(data, shape);
  }

  /**
   * The vector of a list of token ids, used as they are: no special token is added and nothing is cut.
   * @throws QuintetError INPUT for an id outside the vocabulary or for too many ids; UNSUPPORTED without a tower of
   * texts
   */
  async embedIds(ids: readonly number[]): Promise<Float32Array> {
    return this.runs.embedIds(ids);
  }

  /** Token ids of a text, special tokens included, without truncation. */
  async tokenize(text: string): Promise<Int32Array> {
    return this.runs.tokenize(text);
  }

  /**
   * Scores texts as descriptions of an image, as the model was trained to. CLIP: probabilities that add up to 1
   * (softmax). SigLIP: a probability for each text on its own (sigmoid). Vectors are scaled to length 1 first.
   * @throws QuintetError INPUT; UNSUPPORTED without a tower of texts
   */
  similarity(image: Float32Array, texts: readonly Float32Array[]): Float32Array {
    return this.runs.similarity(image, texts);
  }

  /**
   * Labels of an image, the best first: its `similarity` with a text for each label. The model was trained for none of
   * them. The texts are embedded once for a list of labels.
   * @throws QuintetError INPUT, FORMAT for a damaged image; UNSUPPORTED without a tower of texts; ABORTED, CLOSED
   */
  async classify(image: ImageInput, labels: readonly string[], options?: ZeroShotOptions): Promise<ScoredLabel[]> {
    return this.runs.classify(image, labels, options);
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
