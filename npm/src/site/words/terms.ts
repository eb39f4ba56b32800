// What the index lists and a query looks for: stems of words, the parts of camelCase, names of several words as one, and pairs of
// Hangul, whose words have endings that no space sets off. The writer and the reader share it, so they cannot disagree.

import { type WordRange, wordRangesOf, wordsOf } from '../../search/keywords/words.js';
import type { Stemmer } from './stems.js';

/** A term, and what it was made from: UTF-16 units of the text. */
export interface Term {
  term: string;
  start: number;
  end: number;
  /** A word of the text; a part of one in camelCase; words that only a sign joins, such as `max_connections`, as one. */
  kind: 'word' | 'part' | 'name';
}

/** Characters of a term. Longer words are cut: they are data, not language. */
const maxTerm = 48;
/** Words of a name. */
const maxJoined = 6;
/** Stems that are remembered. */
const maxKnown = 1 << 17;

const hangul = /^[\uac00-\ud7a3]{2,}$/;
const mixedCase = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
const caseParts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const joins = /^(?:[_.-]|::?|->)$/;
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

export class TermSplitter {
  private readonly stems = new Map<string, string>();

  constructor(private readonly stemmer: Stemmer) {}

  /** The terms of a text, in the order of their beginnings as far as words go; parts follow their word, names their last word. */
  termsOf(text: string): Term[] {
    const words = wordRangesOf(text);
    const terms: Term[] = [];
    words.forEach((range, i) => {
      this.addWord(text, range, terms);
      if (!isJoined(text, range, words[i + 1])) this.addName(text, words, i, terms);
    });
    return terms;
  }

  private addWord(text: string, { word, start, end }: WordRange, terms: Term[]): void {
    const isPlain = end - start === word.length;
    if (hangul.test(word)) {
      for (let i = 1; i < word.length; ++i) {
        const range = isPlain ? { start: start + i - 1, end: start + i + 1 } : { start, end };
        terms.push({ term: word.slice(i - 1, i + 1), ...range, kind: 'word' });
      }
      return;
    }
    const source = text.slice(start, end);
    terms.push({ term: this.stemOf(source, word), start, end, kind: 'word' });
    if (!mixedCase.test(source)) return;
    for (const { 0: part, index } of source.matchAll(caseParts)) {
      if (part.length < 2 || part.length === source.length) continue;
      const term = this.stemOf(part, part.toLowerCase());
      terms.push({ term, start: start + index, end: start + index + part.length, kind: 'part' });
    }
  }

  /** The name that ends with word `last`, if it is one. */
  private addName(text: string, words: readonly WordRange[], last: number, terms: Term[]): void {
    let first = last;
    while (first > 0 && last - first < maxJoined && isJoined(text, words[first - 1]!, words[first])) first -= 1;
    const count = last - first + 1;
    if (count < 2 || count > maxJoined) return;
    const name = words
      .slice(first, last + 1)
      .map(({ word }) => word)
      .join('');
    terms.push({ term: this.stemOf(name, name), start: words[first]!.start, end: words[last]!.end, kind: 'name' });
  }

  /** Stems the word as it is written, since accents tell endings apart, and folds what is left. */
  private stemOf(source: string, word: string): string {
    const known = this.stems.get(source);
    if (known !== undefined) return known;
    let term = word;
    if (word.length <= maxTerm) {
      const stem = wordsOf(this.stemmer(source.normalize('NFKC').replace(ignorable, '').toLowerCase()));
      // A sign of compatibility may be several words, of which `word` is one.
      if (stem.length === 1) term = stem[0]!;
    }
    if (term.length > maxTerm) term = [...term].slice(0, maxTerm).join('');
    if (this.stems.size >= maxKnown) this.stems.clear();
    this.stems.set(source, term);
    return term;
  }
}

const isJoined = (text: string, one: WordRange, next: WordRange | undefined): boolean =>
  next !== undefined &&
  next.start > one.end &&
  next.start - one.end <= 2 &&
  joins.test(text.slice(one.end, next.start));
