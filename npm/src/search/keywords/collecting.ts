// Collects the words of the texts of an index.

import { breathe } from '../../base/event_loop.js';
import { KeywordIndex } from './keyword_index.js';

export { KeywordIndex };

/** Words, and the texts by slot whose words are not among them yet. */
interface CollectedWords {
  keywords: KeywordIndex | undefined;
  readonly waiting: Map<number, string>;
}

/** Takes the texts that wait, and those that come meanwhile. */
export async function collectWords(words: CollectedWords): Promise<KeywordIndex> {
  const keywords = (words.keywords ??= new KeywordIndex());
  for (const [slot, text] of words.waiting) {
    keywords.set(slot, text);
    words.waiting.delete(slot);
    await breathe();
  }
  return keywords;
}
