// What every contestant does: reads a prompt, then writes on, always the most probable token.
export const PROMPT_TOKENS = 128;
export const ANSWER_TOKENS = 64;

const BOS = 1;
/** Ids below are control tokens, bytes and single letters. */
const FIRST_WORD = 300;

export function promptIds(vocabulary, count = PROMPT_TOKENS) {
  const ids = [BOS];
  let state = 5;
  while (ids.length < count) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    ids.push(FIRST_WORD + Math.floor((state / 2 ** 32) * (vocabulary - FIRST_WORD)));
  }
  return ids;
}

/** Tokens per second of a run. */
export function speeds({ promptTokens, prefillMs, answerTokens, decodeMs }) {
  return { prefill: (1000 * promptTokens) / prefillMs, decode: (1000 * answerTokens) / decodeMs };
}
