// The terms that the index lists and a query looks up: stems of words, the parts of camelCase, names of several words
// as one, and pairs of Hangul, whose words have endings that no space sets off. The writer and the reader share it, so
// they cannot disagree.

import { type WordRange, wordRangesOf, wordsOf } from '../../search/keywords/words.js';
import type { Stemmer } from './stems.js';

/** A term, and what it was made from: UTF-16 units of the text. */
export interface Term {
  term: string;
  start: number;
  end: number;
  /**
   * A word of the text; a part of one in camelCase; words that only a sign joins, such as `max_connections`, as one.
   */
  kind: 'word' | 'part' | 'name';
}

/** Characters of a term. Longer words are cut: they are data, not language. */
const maxTerm = 48;
/** Words of a name. */
const maxJoined = 6;
/** Words whose terms are remembered. */
const maxKnown = 1 << 17;

const hangul = /^[\uac00-\ud7a3]{2,}$/;
const mixedCase = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
const caseParts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const joins = /^(?:[_.-]|::?|->)$/;
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

export class TermSplitter {
  /** The terms of words as they are written, where the text begins with them. */
  private readonly known = new Map<string, readonly Term[]>();

  constructor(private readonly stemmer: Stemmer) {}

  /**
   * The terms of a text, in the order of their beginnings as far as words go; parts follow their word, names their last
   * word.
   * @param words Those of the text, if they are known
   */
  termsOf(text: string, words: readonly WordRange[] = wordRangesOf(text)): Term[] {
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
    for (const found of this.wordTerms(text.slice(start, end), word)) {
      terms.push({ term: found.term, start: start + found.start, end: start + found.end, kind: found.kind });
    }
  }

  private wordTerms(source: string, word: string): readonly Term[] {
    const known = this.known.get(source);
    if (known) return known;
    const terms: Term[] = [{ term: this.stemOf(source, word), start: 0, end: source.length, kind: 'word' }];
    for (const { 0: part, index } of mixedCase.test(source) ? source.matchAll(caseParts) : []) {
      if (part.length < 2 || part.length === source.length) continue;
      const term = this.stemOf(part, part.toLowerCase());
      terms.push({ term, start: index, end: index + part.length, kind: 'part' });
    }
    if (this.known.size >= maxKnown) this.known.clear();
    this.known.set(source, terms);
    return terms;
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
    const [found] = this.wordTerms(name, name);
    terms.push({ term: found!.term, start: words[first]!.start, end: words[last]!.end, kind: 'name' });
  }

  /** Stems the word as it is written, since accents distinguish endings, and then folds it. */
  private stemOf(source: string, word: string): string {
    let term = word;
    if (word.length <= maxTerm) {
      const stem = wordsOf(this.stemmer(source.normalize('NFKC').replace(ignorable, '').toLowerCase()));
      // A sign of compatibility may be several words, of which `word` is one.
      if (stem.length === 1) term = stem[0]!;
    }
    return term.length > maxTerm ? [...term].slice(0, maxTerm).join('') : term;
  }
}

const isJoined = (text: string, one: WordRange, next: WordRange | undefined): boolean =>
  next !== undefined &&
  next.start > one.end &&
  next.start - one.end <= 2 &&
  text[one.end] !== ' ' &&
  joins.test(text.slice(one.end, next.start));
