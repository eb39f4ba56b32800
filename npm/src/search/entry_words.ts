// The words of an index's texts. The part of the package for words is loaded with the first text, or, for a saved
// index, with the first search for words; until then, texts wait.

import { lazyModule } from '../base/lazy_module.js';
import type { KeywordIndex } from './keywords/keyword_index.js';
import type { KeywordRows } from './keywords/keyword_rows.js';

const keywordPart = lazyModule(() => import('./keywords/collecting.js'), 'collectWords');

export class EntryWords {
  keywords: KeywordIndex | undefined;
  /** The words of a saved index, which are not in `keywords` yet, and their slots. */
  saved: { rows: KeywordRows; slots: Uint32Array } | undefined;
  /** Slots whose words in `saved` do not count any more. */
  readonly outdated = new Set<number>();
  /** Texts whose words are not in `keywords` yet, by slot. */
  readonly waiting = new Map<number, string>();
  private collecting: Promise<KeywordIndex> | undefined;

  set(slot: number, text: string | undefined): void {
    if (this.keywords && this.waiting.size === 0) return this.keywords.set(slot, text);
    this.remove(slot);
    if (text === undefined) return;
    this.waiting.set(slot, text);
    // Texts wait no longer than necessary. If it fails, `save` and `search` try again.
    this.collected().catch(() => {});
  }

  remove(slot: number): void {
    this.waiting.delete(slot);
    if (this.keywords) this.keywords.remove(slot);
    else if (this.saved) this.outdated.add(slot);
  }

  /** The words of all texts. */
  collected(): Promise<KeywordIndex> {
    return (this.collecting ??= keywordPart()
      .then(({ collectWords }) => collectWords(this))
      .finally(() => (this.collecting = undefined)));
  }
}
