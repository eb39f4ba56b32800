// The types of ImageClassifier's methods.

import type { CommonLoadOptions, ModelFormat } from '../base/types.js';

/** Options of `ImageClassifier.load`. */
export interface ClassifierLoadOptions extends CommonLoadOptions {
  /** Format of the file. Default: detected from its first bytes. */
  format?: ModelFormat;
  /**
   * The storage of the weights: floats ('vanilla') or 8-bit integers. Default: inferred from the size of the file.
   */
  kind?: 'vanilla' | 'dq8' | 'sq8';
  /**
   * 'int8' quantizes linear layers and convolutions of single pixels while loading: a quarter of their memory, and less
   * time. Not for tinyRuntime files, which `convert` quantizes. Default 'none'.
   */
  quantize?: 'none' | 'int8';
  /** Names of all classes, in order. Default: those of the model's files, or 'class 0', 'class 1', ... */
  labels?: readonly string[];
  /**
   * Side length in pixels of the square network input. Default: as in the files of the model, or the usual size of the
   * network: 224, or 32 for CIFAR.
   */
  inputSize?: number;
  /**
   * Length in pixels to which the shorter side of an image is scaled before the central square is cropped. Default: as
   * in the files of the model, or 256 for an `inputSize` of 224 and in proportion for others; up to 64 the same as
   * `inputSize`.
   */
  shorterSide?: number;
  /** Subtracted from red, green and blue in the range 0 to 1. Default: as in the files, or the mean of ImageNet. */
  mean?: readonly [red: number, green: number, blue: number];
  /** Divisor after `mean` was subtracted. Default: as in the files, or the standard deviation of ImageNet. */
  std?: readonly [red: number, green: number, blue: number];
}

/** Options of `ImageClassifier.classify`. */
export interface ClassifyOptions {
  /** Number of classes to return. Default 5. */
  topK?: number;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** Options of `ImageClassifier.classifyBatch`. */
export interface ClassifyBatchOptions extends ClassifyOptions {
  /** Called after each image with the number of images that are done. */
  onProgress?(done: number, total: number): void;
}

/** A class of an image. */
export interface Classification {
  /** Name of the class. */
  label: string;
  /** Index of the class. */
  index: number;
  /** Probability of the class (softmax). */
  score: number;
}
