// The options of image classifiers.

import type { Preparation } from './classifier_backend.js';
import type { ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './classifier_types.js';
import { inputError, unsupported } from './errors.js';
import { callback, checkLoadOptions, integer, oneOf, signal, type Rule } from './options.js';

const imageNet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };

// As kMaxSize of src/image/prepare.cc.
const mostSize = 4096;

const colours = (what: string, check: (value: number) => boolean): Rule => [
  `three numbers${what}`,
  (value) =>
    Array.isArray(value) && value.length === 3 && value.every((number) => Number.isFinite(number) && check(number)),
];

const loadRules: Record<Exclude<keyof ClassifierLoadOptions, keyof Parameters<typeof checkLoadOptions>[0]>, Rule> = {
  kind: oneOf('vanilla', 'dq8', 'sq8'),
  labels: [
    'an array of strings',
    (value) => Array.isArray(value) && value.every((label) => typeof label === 'string'),
  ],
  inputSize: integer(1, mostSize),
  shorterSide: integer(1, mostSize),
  mean: colours('', () => true),
  std: colours(' above zero', (number) => number > 0),
};

export const classifyRules: Record<keyof ClassifyOptions, Rule> = { topK: integer(1, 2 ** 31 - 1), signal };
export const batchRules: Record<keyof ClassifyBatchOptions, Rule> = { ...classifyRules, onProgress: callback };

export function checkClassifierLoadOptions(options: ClassifierLoadOptions): void {
  checkLoadOptions(options, loadRules);
  const { format = 'tinyruntime', quantize = 'none', attentionHeads } = options;
  if (format !== 'tinyruntime') {
    throw unsupported(`no image classifier is read from '${format}' files; 'convert' makes one for it`);
  }
  if (quantize !== 'none') throw unsupported("an image classifier is not quantized while it loads; 'convert' does it");
  if (attentionHeads !== undefined) throw unsupported("load: 'attentionHeads' is for embedders only");
}

/** `usualSize`: of the inputs that such a network is made for. */
export function preparationOf(options: ClassifierLoadOptions, usualSize: number): Preparation {
  const { inputSize: size = usualSize, mean = imageNet.mean, std = imageNet.std } = options;
  const { shorterSide = usualShorterSide(size) } = options;
  if (shorterSide < size) {
    throw inputError('out_of_range', `load: 'shorterSide' of ${shorterSide} is less than the input's ${size}`);
  }
  return { size, shorterSide, mean: [...mean], std: [...std] };
}

/** As Preparation::for_size of src/image/prepare.cc: thumbnails are whole pictures. */
function usualShorterSide(size: number): number {
  return size <= 64 ? size : Math.min(mostSize, Math.floor((size * 256 + 112) / 224));
}
