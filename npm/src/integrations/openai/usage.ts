// Token counts of answers.

import type { GenerationSummary } from '../../generate/types.js';

export interface Usage {
  prompt: number;
  /** Tokens of the prompt that were in the cache. */
  cached: number;
  completion: number;
}

/** Answers to one prompt. */
export function usageOf(summaries: readonly GenerationSummary[]): Usage {
  const [first] = summaries;
  return {
    prompt: first?.promptTokens ?? 0,
    cached: first ? first.promptTokens - first.prefillTokens : 0,
    completion: summaries.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

export const sumOfUsages = (usages: readonly Usage[]): Usage =>
  usages.reduce(
    (sum, { prompt, cached, completion }) => ({
      prompt: sum.prompt + prompt,
      cached: sum.cached + cached,
      completion: sum.completion + completion,
    }),
    { prompt: 0, cached: 0, completion: 0 },
  );

/** The form of completions and chat completions. */
export const completionUsage = ({ prompt, cached, completion }: Usage): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
});

/** The form of responses. */
export const responseUsage = ({ prompt, cached, completion }: Usage): object => ({
  input_tokens: prompt,
  input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
  output_tokens: completion,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: prompt + completion,
});
