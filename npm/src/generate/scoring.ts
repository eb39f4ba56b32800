// Checks the arguments of calls that score a text. Loaded with the first one.

import { checkIds } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { boolean, callback } from '../base/rules.js';
import { checkOptions, type Rule, signal } from '../base/values.js';
import type { CallOptions } from '../worker/calls.js';
import type { PromptInput } from './calls.js';
import { promptOf } from './options.js';
import type { LogitsOptions, PerplexityOptions } from './types.js';

const perplexityRules: Record<keyof PerplexityOptions, Rule> = { onProgress: callback, signal };

/** The arguments and the watch of a call of perplexity(). */
export function scoringRequest(
  text: string | readonly number[],
  options: PerplexityOptions = {},
): [args: [input: PromptInput], watch: CallOptions] {
  checkOptions(options, perplexityRules, 'perplexity');
  const { signal, onProgress } = options;
  const onEvent = ([done, total]: [number, number]) => onProgress?.(done, total);
  return [[promptOf(text)], { signal, onEvent }];
}

const logitsRules: Record<keyof LogitsOptions, Rule> = { all: boolean, signal };

/** The arguments and the watch of a call of logits(). */
export function logitsRequest(
  ids: readonly number[],
  options: LogitsOptions = {},
): [args: [ids: Int32Array, all: boolean], watch: CallOptions] {
  checkOptions(options, logitsRules, 'logits');
  const { signal, all = false } = options;
  const checked = checkIds(ids);
  if (checked.length === 0) throw inputError('missing', 'logits: the list of ids is empty');
  return [[checked, all], { signal }];
}
