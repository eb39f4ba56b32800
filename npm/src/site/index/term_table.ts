// The terms of a language's sections: which section has which, how often, and where.

import { grown } from '../../search/growing.js';
import { levelOf, postingOf, titleCode } from '../format/postings.js';
import { listedSections } from '../reader/ranking.js';
import { ListArena } from './list_arena.js';

/** Counts are multiples of a fourth: passages have weights. */
const countScale = 4;

/** The terms of a section. */
export interface SectionTerms {
  /** The number of times that each term occurs in the text. */
  text: Map<string, number>;
  /** Words of the text. */
  length: number;
  title: ReadonlySet<string>;
  titleLength: number;
  /** Terms of the titles above it. */
  trail: ReadonlySet<string>;
}

/** The sections of a term, ascending, with a byte for how much each is about it. */
export interface TermPostings {
  /** Number of sections that have it, also where fewer are listed. */
  frequency: number;
  sections: number[];
  postings: number[];
}

export class TermTable {
  private readonly numbers = new Map<string, number>();
  private readonly lists = new ListArena();
  private lastSections = new Uint32Array(0);
  private lengths = new Uint32Array(0);
  private sections = 0;
  private totalLength = 0;
  private added = 0;

  /** Sections of all terms, each as often as it has terms. */
  get entries(): number {
    return this.added;
  }

  add(section: SectionTerms): void {
    const number = this.sections++;
    this.lengths = grown(this.lengths, this.sections);
    this.lengths[number] = section.length;
    this.totalLength += section.length;
    const { text, title, trail } = section;
    const code = titleCode(section.titleLength);
    const post = (term: string, count: number, titleBits: number, isInTrail: boolean) => {
      const list = this.listOf(term);
      this.added += 1;
      // One more than the difference, so that the first section of a list needs no other rule.
      this.lists.pushNumber(list, number + 1 - this.lastSections[list]!);
      this.lastSections[list] = number + 1;
      this.lists.pushNumber(list, Math.round(countScale * count));
      this.lists.push(list, (titleBits << 1) | (isInTrail ? 1 : 0));
    };
    for (const [term, count] of text) post(term, count, title.has(term) ? code : 0, trail.has(term));
    for (const term of title) if (!text.has(term)) post(term, 0, code, trail.has(term));
    for (const term of trail) if (!text.has(term) && !title.has(term)) post(term, 0, 0, true);
  }

  /** Ascending, by UTF-16 units. */
  terms(): string[] {
    return [...this.numbers.keys()].sort();
  }

  postingsOf(term: string): TermPostings {
    const bytes = this.lists.bytesOf(this.numbers.get(term)!);
    const average = Math.max(1, this.totalLength / this.sections);
    const sections: number[] = [];
    const postings: number[] = [];
    const next = () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!;
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) return value;
      }
    };
    let at = 0;
    for (let section = -1; at < bytes.length; ) {
      section += next();
      const count = next() / countScale;
      const fields = bytes[at++]!;
      sections.push(section);
      const level = levelOf(count, this.lengths[section]! / average);
      postings.push(postingOf(level, fields >> 1, (fields & 1) === 1));
    }
    return this.listed(sections, postings);
  }

  /** Leaves out the sections that are least about a frequent term: nobody finds them by it. */
  private listed(sections: number[], postings: number[]): TermPostings {
    const frequency = sections.length;
    const { least, share, most } = listedSections;
    const max = Math.min(most, Math.max(least, Math.ceil(share * this.sections)));
    if (frequency <= max) return { frequency, sections, postings };
    const kept = sections.map((_, i) => i).sort((a, b) => rankOf(postings[b]!) - rankOf(postings[a]!) || a - b);
    kept.length = max;
    kept.sort((a, b) => a - b);
    return { frequency, sections: kept.map((i) => sections[i]!), postings: kept.map((i) => postings[i]!) };
  }

  private listOf(term: string): number {
    let list = this.numbers.get(term);
    if (list === undefined) {
      list = this.lists.add();
      this.numbers.set(term, list);
      this.lastSections = grown(this.lastSections, list + 1);
    }
    return list;
  }
}

/** Titles first, then texts. */
const rankOf = (posting: number): number => ((posting >> 1) & 7) * 64 + (posting >> 4) * 2 + (posting & 1);
