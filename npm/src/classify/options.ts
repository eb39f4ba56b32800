// Rules and defaults for the options of image classifiers.

import { callback, checkFormat, checkLoadOptions, formatRule, integer } from '../base/rules.js';
import type { CommonLoadOptions } from '../base/types.js';
import { oneOf, type Rule, signal } from '../base/values.js';
import type { PreparationOptions } from './calls.js';
import type { ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './types.js';

// Equal to kMaxInputSide of src/image/prepare.h.
const maxSize = 4096;

const colors = (what: string, check: (value: number) => boolean): Rule => [
  `three numbers${what}`,
  (value) =>
    Array.isArray(value) && value.length === 3 && value.every((number) => Number.isFinite(number) && check(number)),
];

const loadRules: Record<Exclude<keyof ClassifierLoadOptions, keyof CommonLoadOptions>, Rule> = {
  format: formatRule,
  kind: oneOf('vanilla', 'dq8', 'sq8'),
  quantize: ['"none" or "int8" (others: convert)', (value) => value === 'none' || value === 'int8'],
  labels: ['an array of strings', (value) => Array.isArray(value) && value.every((label) => typeof label === 'string')],
  inputSize: integer(1, maxSize),
  shorterSide: integer(1, maxSize),
  mean: colors('', () => true),
  std: colors(' above zero', (number) => number > 0),
};

export const classifyRules: Record<keyof ClassifyOptions, Rule> = { topK: integer(1, 2 ** 31 - 1), signal };
export const batchRules: Record<keyof ClassifyBatchOptions, Rule> = { ...classifyRules, onProgress: callback };

export function checkClassifierLoadOptions(options: ClassifierLoadOptions): void {
  checkLoadOptions(options, loadRules);
  checkFormat(options.format, 'an image classifier', ['tinyruntime', 'safetensors']);
}

export function preparationOf(options: ClassifierLoadOptions): PreparationOptions {
  const { inputSize: size = 0, shorterSide = 0, mean = [], std = [] } = options;
  return { size, shorterSide, mean: [...mean], std: [...std] };
}
