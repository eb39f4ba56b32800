// Log probabilities of tokens, as chat completions and responses have them.

import type { Token } from '../../generate/types.js';

const entry = (text: string, logprob: number) => ({
  token: text,
  logprob,
  bytes: [...new TextEncoder().encode(text)],
});

export const logprobEntries = (tokens: readonly Token[]): object[] =>
  tokens.map(({ text, logprob = 0, top = [] }) => ({
    ...entry(text, logprob),
    top_logprobs: top.map((other) => entry(other.text, other.logprob)),
  }));
