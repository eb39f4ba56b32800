// Rules and defaults for the options of image classifiers.

import { inputError } from '../base/errors.js';
import { callback, checkFormat, checkLoadOptions, formatRule, integer } from '../base/rules.js';
import type { CommonLoadOptions } from '../base/types.js';
import { oneOf, type Rule, signal } from '../base/values.js';
import type { Preparation } from './calls.js';
import type { ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './types.js';

const imageNet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };

// As kMaxSize of src/image/prepare.cc.
const maxSize = 4096;

const colours = (what: string, check: (value: number) => boolean): Rule => [
  `three numbers${what}`,
  (value) =>
    Array.isArray(value) && value.length === 3 && value.every((number) => Number.isFinite(number) && check(number)),
];

const loadRules: Record<Exclude<keyof ClassifierLoadOptions, keyof CommonLoadOptions>, Rule> = {
  format: formatRule,
  kind: oneOf('vanilla', 'dq8', 'sq8'),
  labels: ['an array of strings', (value) => Array.isArray(value) && value.every((label) => typeof label === 'string')],
  inputSize: integer(1, maxSize),
  shorterSide: integer(1, maxSize),
  mean: colours('', () => true),
  std: colours(' above zero', (number) => number > 0),
};

export const classifyRules: Record<keyof ClassifyOptions, Rule> = { topK: integer(1, 2 ** 31 - 1), signal };
export const batchRules: Record<keyof ClassifyBatchOptions, Rule> = { ...classifyRules, onProgress: callback };

export function checkClassifierLoadOptions(options: ClassifierLoadOptions): void {
  checkLoadOptions(options, loadRules);
  checkFormat(options.format, 'an image classifier', ['tinyruntime']);
}

/** `usualSize`: the usual input size of such a network. */
export function preparationOf(options: ClassifierLoadOptions, usualSize: number): Preparation {
  const { inputSize: size = usualSize, mean = imageNet.mean, std = imageNet.std } = options;
  const { shorterSide = usualShorterSide(size) } = options;
  if (shorterSide < size) {
    throw inputError(
      'out_of_range',
      `load: 'shorterSide' must be at least the input size of ${size}, not ${shorterSide}`,
    );
  }
  return { size, shorterSide, mean: [...mean], std: [...std] };
}

/** As Preparation::for_size of src/image/prepare.cc: thumbnails are not cropped. */
function usualShorterSide(size: number): number {
  return size <= 64 ? size : Math.min(maxSize, Math.floor((size * 256 + 112) / 224));
}
