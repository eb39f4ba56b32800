// The words of an index's texts. The part of the package for words is loaded with the first text; until then, texts wait.

import { lazyPart } from '../base/lazy_part.js';
import type { KeywordIndex } from './keywords/keyword_index.js';

const keywordPart = lazyPart(() => import('./keywords/collecting.js'), 'collectWords');

export class EntryWords {
  keywords: KeywordIndex | undefined;
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
    this.keywords?.remove(slot);
  }

  /** The words of all texts. */
  collected(): Promise<KeywordIndex> {
    return (this.collecting ??= keywordPart()
      .then(({ collectWords }) => collectWords(this))
      .finally(() => (this.collecting = undefined)));
  }
}
