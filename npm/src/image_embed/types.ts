// The types of ImageEmbedder's methods.

import type { QuintetError } from '../base/errors.js';
import type { CommonLoadOptions, ModelFormat } from '../base/types.js';

/** A part of a model that makes vectors of one kind of input. */
export type Tower = 'image' | 'text';

/** Options of `ImageEmbedder.load`. */
export interface ImageEmbedderLoadOptions extends CommonLoadOptions {
  /** Format of the file. Default: detected from its first bytes. */
  format?: ModelFormat;
  /**
   * The towers to load: that of images, that of texts, or both, which is the default. For one alone, only its part of
   * the weights is read, unless `integrity` is given. A model that has only a tower of images is loaded with 'both',
   * too.
   */
  towers?: 'both' | Tower;
  /**
   * Quantize the linear layers of transformers while they are read: 'int8' takes about a quarter of the memory and is
   * faster. Default 'none'.
   */
  quantize?: 'none' | 'int8';
}

/** Options of `ImageEmbedder.embedImageStream`. */
export interface ImageStreamOptions {
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
  /**
   * Called for an image that cannot be read, decoded or embedded, with its place in the stream. It has no vector, and the
   * stream continues. Default: such an image ends the stream with its error.
   */
  onError?(index: number, error: QuintetError): void;
}

/** Options of `ImageEmbedder.embedImage` and `embedText`. */
export interface ImageEmbedOptions {
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
  /** Called after each image or text with the number of those that are done. */
  onProgress?(done: number, total: number): void;
}

/** Options of `ImageEmbedder.classify`. */
export interface ZeroShotOptions {
  /** The text for a label, which replaces every '{}'. Default 'a photo of a {}.'. */
  template?: string;
  /** Number of labels to return. Default: all. */
  topK?: number;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** A label of an image. */
export interface ScoredLabel {
  label: string;
  /** As `ImageEmbedder.similarity` gives it. */
  score: number;
}
