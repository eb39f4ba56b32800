// The vectors of a language's words and passages, and their files.

import { encode, lengthCode } from '../format/codes.js';
import type { ClustersEntry, VectorsEntry } from '../format/files.js';
import { rowFileOf } from '../format/row_files.js';
import { ByteVectors, lengthOfVector, type VectorParts } from './byte_vectors.js';
import { type PassagePlaces, writeClusters } from './cluster_files.js';
import { fittedTo, vectorOf } from './contexts.js';
import type { PassageWords } from './passage_words.js';
import { begin, type ContentWriter } from './stored_file.js';

const wordBits = 4;
const passageBits = 2;
/**
 * Words of a file: more where there are many, so that about `usualFiles` are enough for most sites, and hosts can hold
 * those of the others.
 */
const leastRows = 24;
const mostRows = 48;
const usualFiles = 1_500;
/** Words of the first file, which has the site's most frequent ones, and which every query loads. */
const firstRows = 128;

/** The words whose vectors a query may need: their numbers, ascending, and how often the site has each. */
export interface ListedWords {
  rows: Uint32Array<ArrayBuffer>;
  words: string[];
  counts: Uint32Array<ArrayBuffer>;
}

/** The state that another thread needs to continue. */
export interface SiteVectorsParts {
  words: VectorParts;
  passages: VectorParts;
  places: PassagePlaces;
  isFitted: boolean;
}

export class SiteVectors {
  private constructor(
    /** By their numbers in the lexicon. */
    private words: ByteVectors,
    private readonly passages: ByteVectors,
    /** The places of passages with a vector. */
    private readonly places: PassagePlaces,
    private isFitted: boolean,
  ) {}

  static empty(dimension: number): SiteVectors {
    const places = { sections: [], numbers: [] };
    return new SiteVectors(new ByteVectors(dimension), new ByteVectors(dimension), places, false);
  }

  static of({ words, passages, places, isFitted }: SiteVectorsParts): SiteVectors {
    return new SiteVectors(ByteVectors.of(words), ByteVectors.of(passages), places, isFitted);
  }

  get parts(): SiteVectorsParts {
    const { words, passages, places, isFitted } = this;
    return { words: words.parts, passages: passages.parts, places, isFitted };
  }

  /** Number of words that have a vector. */
  get wordCount(): number {
    return this.words.size;
  }

  /** `vectors`: one after another. */
  addWords(vectors: Float32Array): void {
    const { dimension } = this.words;
    for (let at = 0; at < vectors.length; at += dimension) this.words.push(vectors.subarray(at, at + dimension));
  }

  /** Gives passages their vectors. From the first time on, words keep the meaning that they have then. */
  settle(waiting: PassageWords, { sections, numbers }: PassagePlaces): void {
    if (!this.isFitted) this.words = fittedTo(waiting, this.words);
    this.isFitted = true;
    for (let i = 0; i < waiting.size; ++i) {
      const vector = vectorOf(waiting, i, this.words);
      if (lengthOfVector(vector) === 0) continue;
      this.passages.push(vector);
      this.places.sections.push(sections[i]!);
      this.places.numbers.push(numbers[i]!);
    }
  }

  /** Undefined if the model has none of the words. */
  async write(listed: ListedWords, folder: ContentWriter): Promise<Omit<VectorsEntry, 'model'> | undefined> {
    if (this.passages.size === 0) return undefined;
    const kinds = { centers: 'centers', cluster: 'cluster' } as const;
    const clusters: ClustersEntry = await writeClusters(this.passages, this.places, passageBits, kinds, folder);
    const rowFiles = await this.writeRows(listed, folder);
    return { ...clusters, wordBits, rowFiles };
  }

  private async writeRows({ rows, words, counts }: ListedWords, folder: ContentWriter): Promise<number> {
    const known = Array.from(rows, (_, i) => i).filter((i) => this.lengthOf(rows[i]!) > 0);
    const byCount = [...known].sort((a, b) => counts[b]! - counts[a]!);
    const first = new Set(byCount.slice(0, firstRows));
    const rowsOfFile = Math.min(mostRows, Math.max(leastRows, known.length / usualFiles));
    const files = 1 + Math.max(1, Math.ceil(known.length / rowsOfFile));
    const members: number[][] = Array.from({ length: files }, () => []);
    for (const i of known) members[first.has(i) ? 0 : rowFileOf(words[i]!, files)]!.push(i);
    for (const [number, some] of members.entries()) {
      some.sort((a, b) => (words[a]! < words[b]! ? -1 : 1));
      const content = begin('rows', number);
      content.number(some.length);
      let before = '';
      for (const i of some) {
        content.textAfter(before, words[i]!);
        before = words[i]!;
      }
      for (const i of some) content.byte(lengthCode(this.lengthOf(rows[i]!)));
      for (const i of some) content.raw(encode(this.words.vector(rows[i]!), wordBits));
      await folder.content('rows', number, content);
    }
    return files;
  }

  private lengthOf(row: number): number {
    return lengthOfVector(this.words.vector(row));
  }
}
