// The vectors of a language's words and passages.

import { encode, lengthCode } from '../format/codes.js';
import { centreBits, type VectorsEntry } from '../format/files.js';
import { rowFileOf } from '../format/row_files.js';
import type { WordModel } from '../model/word_model.js';
import { titleVectorWeight } from '../reader/ranking.js';
import { ByteVectors, lengthOfVector } from './byte_vectors.js';
import { clustersOf } from './clusters.js';
import { fittedTo, vectorOf } from './contexts.js';
import { meanOf, without } from './mean.js';
import { PassageWords } from './passage_words.js';
import { begin, type FolderWriter } from './stored_file.js';

const wordBits = 4;
const passageBits = 2;
/** Words of a file, and of the first one, which has the site's most frequent words, and which every query loads. */
const rowsOfFile = 48;
const firstRows = 128;
/** Frequent words of the language that a query may use although the site does not. */
const maxFrequent = 20_000;
/** Times that the site has a word, at least, if the language does not count it among its frequent ones. */
const minCount = 2;

/** Words of passages that are kept, 5 bytes each: those of some 500,000 passages, which say enough of what the words mean there. */
const maxWaiting = 40_000_000;

export class VectorTable {
  private words: ByteVectors;
  private readonly rows = new Map<string, number>();
  private passages: ByteVectors;
  /** Passages without a vector yet. */
  private waiting = new PassageWords();
  private places: { section: number; number: number }[] = [];
  private isFitted = false;
  private readonly sections: number[] = [];
  private readonly numbers: number[] = [];

  constructor(private readonly model: WordModel) {
    this.words = new ByteVectors(model.dimension);
    this.passages = new ByteVectors(model.dimension);
  }

  /** Must be called with the words of passages before they are added. */
  async learn(words: Iterable<string>): Promise<void> {
    const fresh = [...new Set(words)].filter((word) => !this.rows.has(word));
    if (fresh.length === 0) return;
    const { dimension } = this.model;
    const vectors = await this.model.vectorsOf(fresh);
    fresh.forEach((word, i) => {
      this.rows.set(word, this.words.size);
      this.words.push(vectors.subarray(i * dimension, (i + 1) * dimension));
    });
  }

  /** `titles`: the words of the titles above the passage. `number`: of the passage in its section. */
  add(section: number, number: number, titles: readonly string[], text: readonly string[]): void {
    const rowOf = (word: string) => this.rows.get(word)!;
    this.waiting.push(titles.map(rowOf), text.map(rowOf), titleVectorWeight);
    this.places.push({ section, number });
    // From the first time on, words keep the meaning that they have then.
    if (this.waiting.entries >= maxWaiting || this.isFitted) this.settle();
  }

  /** Gives passages their vectors. */
  private settle(): void {
    if (!this.isFitted) this.words = fittedTo(this.waiting, this.words);
    this.isFitted = true;
    for (const [i, { section, number }] of this.places.entries()) {
      const vector = vectorOf(this.waiting, i, this.words);
      if (lengthOfVector(vector) === 0) continue;
      this.passages.push(vector);
      this.sections.push(section);
      this.numbers.push(number);
    }
    this.waiting = new PassageWords();
    this.places = [];
  }

  /** `counts`: how often the site has each word. Undefined if the model knows none of the words. */
  async write(counts: ReadonlyMap<string, number>, folder: FolderWriter): Promise<VectorsEntry | undefined> {
    this.settle();
    if (this.passages.size === 0) return undefined;
    const mean = meanOf(this.passages);
    this.passages = without(mean, this.passages);
    const clusters = await this.writePassages(mean, folder);
    const rowFiles = await this.writeRows(counts, folder);
    const { name, dimension } = this.model;
    return { model: name, dimension, wordBits, passageBits, clusters, rowFiles };
  }

  private async writePassages(mean: Float32Array, folder: FolderWriter): Promise<number> {
    const { dimension } = this.model;
    const { count, centres, clusterOf } = clustersOf(this.passages);
    const members: number[][] = Array.from({ length: count }, () => []);
    clusterOf.forEach((cluster, row) => void members[cluster]!.push(row));
    const content = begin('centres', 0);
    content.byte(lengthCode(lengthOfVector(mean)));
    content.raw(encode(mean, centreBits));
    for (let c = 0; c < count; ++c)
      content.raw(encode(centres.subarray(c * dimension, (c + 1) * dimension), centreBits));
    await folder.content('centres', 0, content);
    for (const [cluster, rows] of members.entries())
      await folder.content('cluster', cluster, this.clusterOf(cluster, rows));
    return count;
  }

  /** Rows ascend, and so do their sections. */
  private clusterOf(cluster: number, rows: readonly number[]) {
    const content = begin('cluster', cluster);
    content.number(rows.length);
    let before = 0;
    for (const row of rows) {
      content.number(this.sections[row]! - before);
      before = this.sections[row]!;
    }
    for (const row of rows) content.number(this.numbers[row]!);
    for (const row of rows) content.raw(encode(this.passages.vector(row), passageBits));
    return content;
  }

  private async writeRows(counts: ReadonlyMap<string, number>, folder: FolderWriter): Promise<number> {
    const frequent = this.model.frequentWords.slice(0, maxFrequent);
    await this.learn(frequent);
    const isFrequent = new Set(frequent);
    const known = [...this.rows.keys()].filter(
      (word) => (isFrequent.has(word) || counts.get(word)! >= minCount) && this.lengthOf(word) > 0,
    );
    const first = new Set([...known].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, firstRows));
    const files = 1 + Math.max(1, Math.ceil(known.length / rowsOfFile));
    const words: string[][] = Array.from({ length: files }, () => []);
    for (const word of known) words[first.has(word) ? 0 : rowFileOf(word, files)]!.push(word);
    for (const [number, some] of words.entries())
      await folder.content('rows', number, this.rowsOf(number, some.sort()));
    return files;
  }

  private rowsOf(number: number, words: readonly string[]) {
    const content = begin('rows', number);
    content.number(words.length);
    let before = '';
    for (const word of words) {
      content.textAfter(before, word);
      before = word;
    }
    for (const word of words) content.byte(lengthCode(this.lengthOf(word)));
    for (const word of words) content.raw(encode(this.words.vector(this.rows.get(word)!), wordBits));
    return content;
  }

  private lengthOf = (word: string): number => lengthOfVector(this.words.vector(this.rows.get(word)!));
}
