// The words of a language's pages as they are written, not their stems: numbered from 0, and counted.

import { grown } from '../../search/growing.js';

export class Lexicon {
  readonly words: string[] = [];
  private readonly numbers = new Map<string, number>();
  private counts = new Uint32Array(0);

  /** A new word gets the next number. */
  numberOf(word: string): number {
    let number = this.numbers.get(word);
    if (number === undefined) {
      number = this.words.length;
      this.numbers.set(word, number);
      this.words.push(word);
      this.counts = grown(this.counts, number + 1);
    }
    return number;
  }

  /** Counts a word that occurs in a text, and returns its number. */
  count(word: string): number {
    const number = this.numberOf(word);
    this.counts[number]! += 1;
    return number;
  }

  /** The number of times that a word occurs in the texts, by its number. */
  countOf(number: number): number {
    return this.counts[number]!;
  }
}
