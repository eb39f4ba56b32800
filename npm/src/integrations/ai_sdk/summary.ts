// The end of a generation and its cost, in the words of the AI SDK.

import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { GenerationSummary } from '../../generate/types.js';

export function finishReasonOf({ reason }: GenerationSummary, called: boolean): LanguageModelV4FinishReason {
  const unified = reason === 'length' ? 'length' : called ? 'tool-calls' : reason === 'abort' ? 'other' : 'stop';
  return { unified, raw: reason };
}

export function usageOf({ promptTokens, prefillTokens, tokens }: GenerationSummary): LanguageModelV4Usage {
  const cacheRead = promptTokens - prefillTokens;
  return {
    inputTokens: { total: promptTokens, noCache: prefillTokens, cacheRead, cacheWrite: undefined },
    outputTokens: { total: tokens, text: undefined, reasoning: undefined },
  };
}
