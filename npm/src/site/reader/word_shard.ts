// The terms of a file, and their sections.

import type { ByteReader } from '../format/byte_reader.js';

/** The sections of a term. */
export interface TermEntry {
  term: string;
  /** Number of sections that have it, at least as many as are listed. */
  frequency: number;
  /** Ascending. */
  sections: Uint32Array;
  /** The weight in each: format/postings.ts. */
  postings: Uint8Array;
}

export class WordShard {
  private constructor(private readonly entries: readonly TermEntry[]) {}

  static read(reader: ByteReader, sections: number): WordShard {
    const count = reader.count('terms', 4);
    const entries: TermEntry[] = [];
    let before = '';
    let listed = 0;
    for (let i = 0; i < count; ++i) {
      const term = reader.textAfter(before);
      if (i > 0 && term <= before) throw reader.broken('its terms do not ascend');
      const frequency = reader.atMost(sections, 'the number of sections');
      const length = frequency - reader.atMost(frequency, 'the number of sections that are left out');
      // Each takes two bytes at least.
      listed += length;
      if (2 * listed > reader.left) throw reader.broken('it ends too early');
      entries.push({ term, frequency, sections: new Uint32Array(length), postings: new Uint8Array(0) });
      before = term;
    }
    for (const entry of entries) {
      let section = -1;
      for (let i = 0; i < entry.sections.length; ++i) {
        section += 1 + reader.number();
        if (section >= sections) throw reader.broken(`section ${section} of ${sections}`);
        entry.sections[i] = section;
      }
    }
    for (const entry of entries) entry.postings = reader.raw(entry.sections.length);
    reader.end();
    return new WordShard(entries);
  }

  get(term: string): TermEntry | undefined {
    const entry = this.entries[this.placeOf(term)];
    return entry?.term === term ? entry : undefined;
  }

  /** The terms that begin like this, in their order. */
  startingWith(prefix: string): TermEntry[] {
    const found: TermEntry[] = [];
    for (let at = this.placeOf(prefix); this.entries[at]?.term.startsWith(prefix); ++at) found.push(this.entries[at]!);
    return found;
  }

  /** The longest term that a text begins with, of at least `minLength` units. */
  beginningOf(text: string, minLength: number): TermEntry | undefined {
    for (let length = text.length - 1; length >= minLength; --length) {
      const entry = this.get(text.slice(0, length));
      if (entry) return entry;
    }
    return undefined;
  }

  /** The place of the first term that is not before this one. */
  private placeOf(term: string): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle]!.term < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
