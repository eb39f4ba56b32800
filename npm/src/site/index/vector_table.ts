// The vectors of a language's words and passages.

import { encode, lengthCode } from '../format/codes.js';
import type { VectorsEntry } from '../format/files.js';
import { rowFileOf } from '../format/row_files.js';
import type { WordModel } from '../model/word_model.js';
import { titleVectorWeight } from '../reader/ranking.js';
import { ByteVectors, lengthOfVector } from './byte_vectors.js';
import { writeClusters } from './cluster_files.js';
import { fittedTo, vectorOf } from './contexts.js';
import type { Lexicon } from './lexicon.js';
import { PassageWords } from './passage_words.js';
import { begin, type FolderWriter } from './stored_file.js';

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
/** Frequent words of the language that a query may use although the site does not. */
const maxFrequent = 20_000;
/** Times that the site has a word, at least, if the language does not count it among its frequent ones. */
const minCount = 2;

/** The number of words in one call of the model: each call may read its whole table. */
const learnedWords = 1 << 16;
/**
 * Words of passages that are kept, 5 bytes each: those of some 500,000 passages, which show well enough what the words
 * mean there.
 */
const maxWaiting = 40_000_000;

export class VectorTable {
  /** Words by their numbers. New words of the lexicon are appended when they are needed. */
  private words: ByteVectors;
  private readonly passages: ByteVectors;
  /** Passages without a vector yet. */
  private waiting = new PassageWords();
  private places: { section: number; number: number }[] = [];
  private isFitted = false;
  /** The places of passages with a vector. */
  private readonly found = { sections: [] as number[], numbers: [] as number[] };

  constructor(
    private readonly model: WordModel,
    private readonly lexicon: Lexicon,
  ) {
    this.words = new ByteVectors(model.dimension);
    this.passages = new ByteVectors(model.dimension);
  }

  /** `titles`: the words of the titles above the passages of a section. `passages`: the words of each. */
  async add(section: number, titles: readonly number[], passages: readonly (readonly number[])[]): Promise<void> {
    for (const [number, text] of passages.entries()) {
      this.waiting.push(titles, text, titleVectorWeight);
      this.places.push({ section, number });
    }
    if (this.waiting.entries >= maxWaiting) await this.settle();
  }

  private async learn(): Promise<void> {
    const { dimension } = this.model;
    while (this.words.size < this.lexicon.words.length) {
      const fresh = this.lexicon.words.slice(this.words.size, this.words.size + learnedWords);
      const vectors = await this.model.vectorsOf(fresh);
      for (let i = 0; i < fresh.length; ++i) this.words.push(vectors.subarray(i * dimension, (i + 1) * dimension));
    }
  }

  /** Gives passages their vectors. From the first time on, words keep the meaning that they have then. */
  private async settle(): Promise<void> {
    await this.learn();
    if (!this.isFitted) this.words = fittedTo(this.waiting, this.words);
    this.isFitted = true;
    for (const [i, { section, number }] of this.places.entries()) {
      const vector = vectorOf(this.waiting, i, this.words);
      if (lengthOfVector(vector) === 0) continue;
      this.passages.push(vector);
      this.found.sections.push(section);
      this.found.numbers.push(number);
    }
    this.waiting = new PassageWords();
    this.places = [];
  }

  /** Undefined if the model has none of the words. */
  async write(folder: FolderWriter): Promise<VectorsEntry | undefined> {
    await this.settle();
    if (this.passages.size === 0) return undefined;
    const kinds = { centers: 'centers', cluster: 'cluster' } as const;
    const clusters = await writeClusters(this.passages, this.found, passageBits, kinds, folder);
    const rowFiles = await this.writeRows(folder);
    return { model: this.model.name, ...clusters, wordBits, rowFiles };
  }

  private async writeRows(folder: FolderWriter): Promise<number> {
    const { lexicon } = this;
    const frequent = new Set(this.model.frequentWords.slice(0, maxFrequent).map((word) => lexicon.numberOf(word)));
    await this.learn();
    const known = lexicon.words
      .map((_, row) => row)
      .filter((row) => (frequent.has(row) || lexicon.countOf(row) >= minCount) && this.lengthOf(row) > 0);
    const byCount = [...known].sort((a, b) => lexicon.countOf(b) - lexicon.countOf(a));
    const first = new Set(byCount.slice(0, firstRows));
    const rowsOfFile = Math.min(mostRows, Math.max(leastRows, known.length / usualFiles));
    const files = 1 + Math.max(1, Math.ceil(known.length / rowsOfFile));
    const rows: number[][] = Array.from({ length: files }, () => []);
    for (const row of known) rows[first.has(row) ? 0 : rowFileOf(lexicon.words[row]!, files)]!.push(row);
    for (const [number, some] of rows.entries()) await folder.content('rows', number, this.rowsOf(number, some));
    return files;
  }

  private rowsOf(number: number, unsorted: readonly number[]) {
    const { words } = this.lexicon;
    const rows = [...unsorted].sort((a, b) => (words[a]! < words[b]! ? -1 : 1));
    const content = begin('rows', number);
    content.number(rows.length);
    let before = '';
    for (const row of rows) {
      content.textAfter(before, words[row]!);
      before = words[row]!;
    }
    for (const row of rows) content.byte(lengthCode(this.lengthOf(row)));
    for (const row of rows) content.raw(encode(this.words.vector(row), wordBits));
    return content;
  }

  private lengthOf = (row: number): number => lengthOfVector(this.words.vector(row));
}
