// The options and results of classifiers of texts and of tokens, and the rules for the options.

import { inputError } from '../base/errors.js';
import { boolean, callback, checkFormat, checkLoadOptions, formatRule, integer } from '../base/rules.js';
import type { CommonLoadOptions, ModelFormat } from '../base/types.js';
import { checkOptions, oneOf, type Rule, signal } from '../base/values.js';

/** Options of `TextClassifier.load` and `TokenClassifier.load`. */
export interface LabelLoadOptions extends CommonLoadOptions {
  /** Format of the file. Default: detected from its first bytes. */
  format?: ModelFormat;
  /** Quantize the matrices while they are read: 'int8', as `convert` does it with 'int8-row'. Default 'none'. */
  quantize?: 'none' | 'int8';
}

/** A text, or two that the model reads together, such as a premise and a hypothesis. */
export type LabelInput = string | { text: string; pair: string };

/** Options of `TextClassifier.classify`. */
export interface LabelOptions {
  /** Number of labels to return. Default: all. */
  topK?: number;
  /**
   * Your own labels, for a model of natural language inference (NLI): each becomes a hypothesis, and its score is how
   * much the text entails it.
   */
  labels?: readonly string[];
  /** The hypothesis for a label, which replaces '{}'. Default 'This example is {}.'. */
  template?: string;
  /** Whether several of `labels` may be right: each gets its own probability. Default false: they add up to 1. */
  multiLabel?: boolean;
  /** Maximum number of tokens, special tokens included. The end of a longer text is cut off. Default: `maxLength`. */
  maxLength?: number;
  /** Called for every text that was truncated, with its index and its original number of tokens. */
  onTruncate?(index: number, tokens: number): void;
  /** Called after every batch with the number of texts that are done. */
  onProgress?(done: number, total: number): void;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** A label in the result of `TextClassifier.classify`. */
export interface TextLabel {
  label: string;
  /** A probability or, for a model that was trained for numbers, the number. */
  score: number;
}

/** Options of `TokenClassifier.classify`. */
export interface EntityOptions {
  /**
   * The grouping of labeled tokens into entities, as in transformers' pipeline: 'none' returns every token; 'simple'
   * (default) joins neighboring tokens of the same label; 'first', 'average' and 'max' first give all tokens of a word
   * the label of its first token, of their average or of the most certain one.
   */
  aggregation?: 'none' | 'simple' | 'first' | 'average' | 'max';
  /**
   * Maximum number of tokens that are read at a time, special tokens included. A longer text is read in windows that
   * overlap by a quarter. Default: `maxLength`.
   */
  maxLength?: number;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
}

/** An entity in the result of `TokenClassifier.classify`. */
export interface Entity {
  /** Without the prefix 'B-' or 'I-', unless the aggregation is 'none'. */
  label: string;
  /** A probability: the mean of those of the tokens or words. */
  score: number;
  /** Its place in the text, in UTF-16 code units: `text.slice(start, end)`. */
  start: number;
  end: number;
  text: string;
}

export function checkLabelLoadOptions(options: LabelLoadOptions): void {
  checkLoadOptions(options, { format: formatRule, quantize: oneOf('none', 'int8') });
  checkFormat(options.format, 'a classifier of texts', ['gguf', 'safetensors']);
}

const strings: Rule = [
  'a non-empty array of strings',
  (value) => Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'),
];

export function checkLabelOptions(options: LabelOptions, maxPositions: number): void {
  const rules: Record<keyof LabelOptions, Rule> = {
    topK: integer(1, 2 ** 31 - 1),
    labels: strings,
    template: ['a string', (value) => typeof value === 'string'],
    multiLabel: boolean,
    maxLength: integer(1, maxPositions),
    onTruncate: callback,
    onProgress: callback,
    signal,
  };
  checkOptions(options, rules, 'classify');
  for (const name of ['template', 'multiLabel'] as const) {
    if (options[name] === undefined || options.labels !== undefined) continue;
    throw inputError('missing', `classify: option '${name}' needs the option 'labels'`);
  }
}

export function checkEntityOptions(options: EntityOptions, maxPositions: number): void {
  const rules: Record<keyof EntityOptions, Rule> = {
    aggregation: oneOf('none', 'simple', 'first', 'average', 'max'),
    maxLength: integer(1, maxPositions),
    signal,
  };
  checkOptions(options, rules, 'classify');
}

/** The place of the label in a template. */
const place = '{}';

/** The hypotheses for labels. */
export function hypothesesOf(labels: readonly string[], template = `This example is ${place}.`): string[] {
  if (!template.includes(place)) {
    throw inputError('malformed', `classify: the template must contain '${place}', where the label stands`);
  }
  return labels.map((label) => template.split(place).join(label));
}
