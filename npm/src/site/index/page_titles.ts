// The words and terms of a page's titles, each of which may stand above many of its sections.

import { wordRangesOf } from '../../search/keywords/words.js';
import type { Term, TermSplitter } from '../words/terms.js';
import type { Lexicon } from './lexicon.js';

export interface SplitTitle {
  /** The numbers of the words. */
  words: readonly number[];
  terms: readonly Term[];
}

export class PageTitles {
  private readonly known = new Map<string, SplitTitle>();

  constructor(
    private readonly splitter: TermSplitter,
    private readonly lexicon: Lexicon,
  ) {}

  of(title: string): SplitTitle {
    let split = this.known.get(title);
    if (!split) {
      const words = wordRangesOf(title);
      const terms = this.splitter.termsOf(title, words);
      split = { words: words.map(({ word }) => this.lexicon.numberOf(word)), terms };
      this.known.set(title, split);
    }
    return split;
  }
}
