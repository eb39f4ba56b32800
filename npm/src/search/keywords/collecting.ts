// Collects the words of the texts of an index.

import { breathe } from '../../base/event_loop.js';
import type { EntryWords } from '../entry_words.js';
import { KeywordIndex } from './keyword_index.js';

export { KeywordIndex };

/** Takes the texts that wait, and those that come meanwhile. */
export async function collectWords(words: EntryWords): Promise<KeywordIndex> {
  const keywords = (words.keywords ??= new KeywordIndex());
  for (const [slot, text] of words.waiting) {
    keywords.set(slot, text);
    words.waiting.delete(slot);
    await breathe();
  }
  return keywords;
}
