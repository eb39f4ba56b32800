// Collects the words of the texts of an index.

import { yieldIfDue } from '../../base/event_loop.js';
import { KeywordIndex } from './keyword_index.js';
import type { KeywordRows } from './keyword_rows.js';

/** Words, and words that are not among them yet: those of a saved index, and texts by slot. */
interface CollectedWords {
  keywords: KeywordIndex | undefined;
  saved: { rows: KeywordRows; slots: Uint32Array } | undefined;
  readonly outdated: Set<number>;
  readonly waiting: Map<number, string>;
}

/** Adds the saved words and the texts that wait, including those that arrive meanwhile. */
export async function collectWords(words: CollectedWords): Promise<KeywordIndex> {
  const keywords = (words.keywords ??= await savedWords(words));
  for (const [slot, text] of words.waiting) {
    keywords.set(slot, text);
    words.waiting.delete(slot);
    await yieldIfDue();
  }
  return keywords;
}

async function savedWords(words: CollectedWords): Promise<KeywordIndex> {
  const keywords = new KeywordIndex();
  if (words.saved) for (const _ of keywords.fill(words.saved.rows, words.saved.slots)) await yieldIfDue();
  for (const slot of words.outdated) keywords.remove(slot);
  words.saved = undefined;
  words.outdated.clear();
  return keywords;
}
