// Rules and defaults for the options of image embedders.

import { inputError } from '../base/errors.js';
import { callback, checkFormat, checkLoadOptions, formatRule, integer } from '../base/rules.js';
import type { CommonLoadOptions } from '../base/types.js';
import { checkOptions, oneOf, type Rule, signal } from '../base/values.js';
import type { ImageEmbedderLoadOptions, ImageEmbedOptions, ImageStreamOptions, ZeroShotOptions } from './types.js';

const loadRules: Record<Exclude<keyof ImageEmbedderLoadOptions, keyof CommonLoadOptions>, Rule> = {
  format: formatRule,
  towers: oneOf('both', 'image', 'text'),
  quantize: oneOf('none', 'int8'),
};

export const streamRules: Record<keyof ImageStreamOptions, Rule> = { signal, onError: callback };
export const embedRules: Record<keyof ImageEmbedOptions, Rule> = { signal, onProgress: callback };

const zeroShotRules: Record<keyof ZeroShotOptions, Rule> = {
  template: ['a string', (value) => typeof value === 'string'],
  topK: integer(1, 2 ** 31 - 1),
  signal,
};

export function checkImageEmbedderLoadOptions(options: ImageEmbedderLoadOptions): void {
  checkLoadOptions(options, loadRules);
  checkFormat(options.format, 'an image embedder', ['safetensors']);
}

/** The place of the label in a template. */
const place = '{}';

/** The texts for labels. */
export function promptsOf(labels: readonly string[], options: ZeroShotOptions): string[] {
  checkOptions(options, zeroShotRules, 'classify');
  const { template = `a photo of a ${place}.` } = options;
  if (!template.includes(place)) {
    throw inputError('malformed', `classify: the template must contain '${place}', where the label stands`);
  }
  return labels.map((label) => template.split(place).join(label));
}
