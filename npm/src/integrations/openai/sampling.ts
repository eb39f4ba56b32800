// Sampling options: fields of OpenAI's protocol, and those that llama.cpp's server and vLLM added to it.

import { oneOf, type Rule } from '../../base/values.js';
import type { GenerateOptions } from '../../generate/types.js';
import { type FieldRules, type Fields, integer, numberBetween, object, text } from './fields.js';

const penalty = numberBetween(-2, 2);
const fraction = numberBetween(0, 1);
const repetition = numberBetween(0.001, 1000);
const dry = numberBetween(0, 1000);
const anyInteger = integer(0, Number.MAX_SAFE_INTEGER);

/** The answer ends before these. */
const stop: Rule = [
  'a string or an array of at most 64 non-empty strings',
  (value) => [value].flat().every((each, i) => i < 64 && typeof each === 'string' && each),
];

/** Fields that are options of `generate`. */
const rules: FieldRules = {
  temperature: numberBetween(0, 2),
  top_p: ['a number above 0, at most 1', (value) => fraction[1](value) && value !== 0],
  seed: anyInteger,
  presence_penalty: penalty,
  frequency_penalty: penalty,
  logit_bias: object,
  top_k: anyInteger,
  min_p: fraction,
  repeat_penalty: repetition,
  repetition_penalty: repetition,
  repeat_last_n: anyInteger,
  dry_multiplier: dry,
  dry_base: dry,
  dry_allowed_length: anyInteger,
  xtc_probability: fraction,
  xtc_threshold: fraction,
  grammar: text,
};

/** Options have the names of the fields in camel case, except for one. */
const optionOf = (field: string) =>
  field.replace('repeat_p', 'repetition_p').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

export const maxTokens = integer(1, Number.MAX_SAFE_INTEGER);
/** More answers at once would keep others waiting for minutes. */
export const answerCount = integer(1, 16);

/** Names of callers and settings for storage do not affect answers. */
export const commonRules: FieldRules = {
  ...rules,
  stop,
  model: text,
  user: text,
  safety_identifier: text,
  prompt_cache_key: text,
  prompt_cache_retention: text,
  metadata: object,
  service_tier: oneOf('auto', 'default'),
  store: oneOf(false),
};

export function samplingOf(fields: Fields): GenerateOptions {
  const ends = fields.get<string | string[]>('stop');
  // Two fields may stand for one option.
  const asked = Object.keys(rules).filter((field) => fields.get(field) !== undefined);
  const values = Object.fromEntries(asked.map((field) => [optionOf(field), fields.get(field)]));
  return { ...values, ...(ends !== undefined && { stop: [ends].flat() }) };
}
