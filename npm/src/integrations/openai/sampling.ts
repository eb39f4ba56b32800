// How the next token is chosen: fields of OpenAI's protocol, and those that llama.cpp's server and vLLM added to it.

import { oneOf, type Rule } from '../../base/values.js';
import type { GenerateOptions } from '../../generate/types.js';
import { type FieldRules, type Fields, given, integer, numberBetween, object, text } from './fields.js';

const penalty = numberBetween(-2, 2);
const fraction = numberBetween(0, 1);
const repetition = numberBetween(0.001, 1000);
const anyInteger = integer(0, Number.MAX_SAFE_INTEGER);

/** The answer ends before these. */
const stop: Rule = [
  'a string or an array of at most 64 non-empty strings',
  (value) => [value].flat().length <= 64 && [value].flat().every((each) => typeof each === 'string' && each !== ''),
];

/** Each with the option of `generate` that it sets. */
const table: readonly [field: string, option: keyof GenerateOptions, rule: Rule][] = [
  ['temperature', 'temperature', numberBetween(0, 2)],
  ['top_p', 'topP', ['a number above 0 and at most 1', (value) => fraction[1](value) && value !== 0]],
  ['seed', 'seed', anyInteger],
  ['presence_penalty', 'presencePenalty', penalty],
  ['frequency_penalty', 'frequencyPenalty', penalty],
  ['logit_bias', 'logitBias', object],
  ['top_k', 'topK', anyInteger],
  ['min_p', 'minP', fraction],
  ['repeat_penalty', 'repetitionPenalty', repetition],
  ['repetition_penalty', 'repetitionPenalty', repetition],
  ['grammar', 'grammar', text],
];

export const maxTokens = integer(1, Number.MAX_SAFE_INTEGER);
/** More answers at once would keep others waiting for minutes. */
export const answerCount = integer(1, 16);

/** Names of the caller, and where a service keeps things, change no answer. */
export const commonRules: FieldRules = {
  ...Object.fromEntries(table.map(([field, , rule]) => [field, rule])),
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
  const options = table.map(([field, option]) => [option, fields.get(field)] as const);
  const ends = fields.get<string | string[]>('stop');
  // Two fields may stand for one option.
  const values = Object.fromEntries(options.filter(([, value]) => value !== undefined));
  return { ...values, ...given<GenerateOptions>({ stop: ends === undefined ? undefined : [ends].flat() }) };
}
