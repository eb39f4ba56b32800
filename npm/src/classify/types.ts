// The types of ImageClassifier's methods.

import type { CommonLoadOptions, ModelFormat } from '../base/types.js';

export interface ClassifierLoadOptions extends CommonLoadOptions {
  /** Default: told by the first bytes. */
  format?: ModelFormat;
  /** What the file holds, which says it by its size only: floats, or 8-bit integers. Default: what fits. */
  kind?: 'vanilla' | 'dq8' | 'sq8';
  /** Names of all classes, in their order. Default: 'class 0', 'class 1' ... */
  labels?: readonly string[];
  /** Side of the square that the network sees. Default: what such a network is made for, 224 or CIFAR's 32. */
  inputSize?: number;
  /**
   * The square is cut from the middle of the picture when its shorter side is so long. Default: 256 for an `inputSize` of
   * 224, in proportion; up to 64 the whole shorter side.
   */
  shorterSide?: number;
  /** Of red, green and blue as 0 to 1, is subtracted; default: that of ImageNet. */
  mean?: readonly [red: number, green: number, blue: number];
  /** What is then divided by. */
  std?: readonly [red: number, green: number, blue: number];
}

export interface ClassifyOptions {
  /** How many classes are told. Default 5. */
  topK?: number;
  signal?: AbortSignal;
}

export interface ClassifyBatchOptions extends ClassifyOptions {
  /** Called with the number of pictures that are done, after each. */
  onProgress?(done: number, total: number): void;
}

export interface Classification {
  label: string;
  index: number;
  /** The class's share of all (softmax). */
  score: number;
}
