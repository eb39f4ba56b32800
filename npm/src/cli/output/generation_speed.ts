// The speed of a generation.
import type { GenerationSummary } from '../../index.js';

export interface GenerationSpeed {
  /** Speed of computing the prompt; null if nothing was computed. */
  prefillTokensPerSecond: number | null;
  /** Speed of generating the text; null if there is none. */
  tokensPerSecond: number | null;
}

export function speedOf({ prefillTokens, prefillMs, tokens, decodeMs }: GenerationSummary): GenerationSpeed {
  return { prefillTokensPerSecond: rate(prefillTokens, prefillMs), tokensPerSecond: rate(tokens, decodeMs) };
}

/** `42 tokens in 0.53 s (79.2 tokens/s); prompt 12 tokens (310 tokens/s)` */
export function describeSpeed(summary: GenerationSummary): string {
  const { promptTokens, prefillTokens, tokens, decodeMs } = summary;
  const { prefillTokensPerSecond, tokensPerSecond } = speedOf(summary);
  const computed = prefillTokens === promptTokens ? '' : `, ${prefillTokens} computed`;
  const text = `${counted(tokens)} in ${(decodeMs / 1000).toFixed(2)} s${inBrackets(tokensPerSecond)}`;
  return `${text}; prompt ${counted(promptTokens)}${computed}${inBrackets(prefillTokensPerSecond)}`;
}

function rate(tokens: number, ms: number): number | null {
  return tokens > 0 && ms > 0 ? (1000 * tokens) / ms : null;
}

function counted(tokens: number): string {
  return `${tokens} ${tokens === 1 ? 'token' : 'tokens'}`;
}

function inBrackets(perSecond: number | null): string {
  if (perSecond === null) return '';
  return ` (${perSecond < 100 ? perSecond.toFixed(1) : Math.round(perSecond)} tokens/s)`;
}
