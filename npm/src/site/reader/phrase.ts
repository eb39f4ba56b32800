// Whether a text has the words of a query side by side.

import type { Term } from '../words/terms.js';

/** The stems of a text's words, in their order. */
export const wordsIn = (terms: readonly Term[]): string[] =>
  terms.filter(({ kind }) => kind === 'word').map(({ term }) => term);

/** A single word is not a phrase. */
export function hasPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  if (phrase.length < 2) return false;
  for (let at = words.indexOf(phrase[0]!); at >= 0; at = words.indexOf(phrase[0]!, at + 1)) {
    if (phrase.every((word, i) => words[at + i] === word)) return true;
  }
  return false;
}
