// Ranks texts by the words that they share with a query: BM25 (Robertson and Zaragoza, The Probabilistic Relevance
// Framework, 2009), with the inverse document frequency that Lucene uses, which is never negative. Only texts with words
// count as documents.

import { grown } from '../growing.js';
import type { TextOfPayload } from '../search_options.js';
import type { SavedKeywords } from './keyword_file.js';
import type { KeywordRows } from './keyword_rows.js';
import { refolded } from './older_words.js';
import { joined, listOf, Rows, segmentOf, type PostingList, type Segment } from './postings.js';
import { wordsOf } from './words.js';

const k1 = 1.2;
const b = 0.75;

/** Postings that wait for the next segment: about 5 MB. */
const mostWaiting = 1 << 20;
/** Removed documents that may stay even if there are few others. */
const mostRemoved = 1000;
/** No document, slot or entry. */
const none = 2 ** 32 - 1;

/** Receives an entry with a score above 0. */
type Take = (slot: number, score: number) => void;

export class KeywordIndex {
  private readonly numbers = new Map<string, number>();
  /** Of ranges of documents in turn, large ones before small ones. */
  private segments: Segment[] = [];
  private waiting = new Rows();

  // By document: a slot gets a new one whenever its text changes.
  private documents = 0;
  private slots = new Uint32Array(0);
  private lengths = new Uint32Array(0);
  private readonly documentOf: number[] = [];
  /** Number of documents that are still those of a slot, and the sum of their lengths. */
  private alive = 0;
  private totalLength = 0;

  private scores = new Float64Array(0);

  constructor(private readonly text: TextOfPayload = 'text') {}

  /** The words of entry i become those of slot i. */
  static of(saved: SavedKeywords, text?: TextOfPayload): KeywordIndex {
    const index = new KeywordIndex(text);
    const rows = saved.followsRules ? saved : refolded(saved);
    index.fill(rows, rows.lengths.keys());
    return index;
  }

  /** The text of an entry: the one that was given, or that of its payload. */
  textOf(payload: unknown, given: string | undefined): string | undefined {
    const { text } = this;
    if (given !== undefined) return given;
    if (typeof text === 'function') return stringOf(text(payload));
    return stringOf(payload) ?? stringOf((payload as Record<string, unknown> | null | undefined)?.[text]);
  }

  /** Sets the text of a slot. */
  set(slot: number, text: string | undefined): void {
    this.remove(slot);
    const words = text === undefined ? [] : wordsOf(text);
    if (words.length === 0) return;
    const counts = new Map<number, number>();
    for (const word of words) {
      const number = this.numbers.get(word) ?? this.numbers.size;
      if (number === this.numbers.size) this.numbers.set(word, number);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    this.push(slot, words.length, [...counts.keys()], [...counts.values()]);
  }

  remove(slot: number): void {
    const document = this.documentOf[slot];
    if (document === undefined || document === none) return;
    this.documentOf[slot] = none;
    this.slots[document] = none;
    this.alive -= 1;
    this.totalLength -= this.lengths[document]!;
    if (this.documents > 2 * this.alive + mostRemoved) this.dropRemoved();
  }

  /** Scores all entries that have a word of the query. They come in no particular order. */
  search(query: string, take: Take): void {
    this.sortWaiting();
    const repeats = new Map<number, number>();
    for (const word of wordsOf(query)) {
      const number = this.numbers.get(word);
      if (number !== undefined) repeats.set(number, (repeats.get(number) ?? 0) + 1);
    }
    this.scores = grown(this.scores, this.documents);
    for (const [word, times] of repeats) this.addScores(word, times);
    for (let document = 0; document < this.documents; ++document) {
      const score = this.scores[document]!;
      this.scores[document] = 0;
      if (score > 0) take(this.slots[document]!, score);
    }
  }

  private addScores(word: number, times: number): void {
    const { slots, lengths, scores } = this;
    const lists = this.listsOf(word);
    const found = lists.reduce((sum, { documents }) => sum + this.countAlive(documents), 0);
    const weight = times * Math.log(1 + (this.alive - found + 0.5) / (found + 0.5));
    const perWord = (k1 * b * this.alive) / this.totalLength;
    for (const { documents, counts } of lists) {
      for (let i = 0; i < documents.length; ++i) {
        const document = documents[i]!;
        if (slots[document] === none) continue;
        const count = counts[i]!;
        scores[document]! += (weight * count * (k1 + 1)) / (count + k1 * (1 - b) + perWord * lengths[document]!);
      }
    }
  }

  private countAlive(documents: Uint32Array): number {
    if (this.alive === this.documents) return documents.length;
    return documents.reduce((count, document) => count + (this.slots[document] === none ? 0 : 1), 0);
  }

  private listsOf(word: number): PostingList[] {
    return this.segments.flatMap((segment) => listOf(segment, word) ?? []);
  }

  /** The words of these slots. They depend on nothing that the index had before. */
  rows(order: Uint32Array): KeywordRows {
    this.sortWaiting();
    const entries = new Uint32Array(this.documents).fill(none);
    const lengths = new Uint32Array(order.length);
    order.forEach((slot, entry) => {
      const document = this.documentOf[slot];
      if (document === undefined || document === none) return;
      entries[document] = entry;
      lengths[entry] = this.lengths[document]!;
    });
    const names = [...this.numbers.keys()];
    const byNumber = this.transposed(names.keys(), entries, order.length);
    const numbers = inOrderOfAppearance(byNumber, names);
    return { vocabulary: numbers.map((number) => names[number]!), lengths, ...this.transposed(numbers, entries, order.length) };
  }

  /** The words of each entry, numbered and sorted as in `words`. */
  private transposed(words: Iterable<number>, entries: Uint32Array, count: number): TransposedRows {
    const inOrder = [...words];
    const sizes = new Uint32Array(count);
    const visit = (posting: (entry: number, number: number, count: number) => void) =>
      inOrder.forEach((word, number) => {
        for (const { documents, counts } of this.listsOf(word)) {
          documents.forEach((document, i) => {
            const entry = entries[document]!;
            if (entry !== none) posting(entry, number, counts[i]!);
          });
        }
      });
    visit((entry) => (sizes[entry]! += 1));
    const next = new Uint32Array(count + 1);
    sizes.forEach((size, entry) => (next[entry + 1] = next[entry]! + size));
    const rows = { sizes, words: new Uint32Array(next[count]!), counts: new Uint8Array(next[count]!) };
    visit((entry, number, count) => {
      const at = next[entry]!++;
      rows.words[at] = number;
      rows.counts[at] = count;
    });
    return rows;
  }

  private fill({ vocabulary, lengths, sizes, words, counts }: KeywordRows, slots: Iterable<number>): void {
    vocabulary.forEach((word, number) => this.numbers.set(word, number));
    let entry = 0;
    let at = 0;
    for (const slot of slots) {
      const end = at + sizes[entry]!;
      if (end > at) this.push(slot, lengths[entry]!, words.subarray(at, end), counts.subarray(at, end));
      at = end;
      entry += 1;
    }
  }

  private push(slot: number, length: number, words: ArrayLike<number>, counts: ArrayLike<number>): void {
    const document = this.documents++;
    this.slots = grown(this.slots, this.documents);
    this.lengths = grown(this.lengths, this.documents);
    this.slots[document] = slot;
    this.lengths[document] = length;
    this.documentOf[slot] = document;
    this.alive += 1;
    this.totalLength += length;
    this.waiting.push(words, counts);
    if (this.waiting.postings > mostWaiting) this.sortWaiting();
  }

  /** Turns what waits into a segment. Joining those of similar size keeps their number logarithmic. */
  private sortWaiting(): void {
    const { segments, waiting } = this;
    if (waiting.documents === 0) return;
    segments.push(segmentOf(waiting, this.documents - waiting.documents, this.numbers.size));
    this.waiting = new Rows();
    while (segments.length > 1 && segments.at(-2)!.bytes.length < 2 * segments.at(-1)!.bytes.length) {
      const [a, b] = segments.splice(-2);
      segments.push(joined(a!, b!));
    }
  }

  private dropRemoved(): void {
    this.sortWaiting();
    const slots = this.slots.subarray(0, this.documents).filter((slot) => slot !== none);
    const rows = this.rows(slots);
    this.numbers.clear();
    this.segments = [];
    this.documents = this.alive = this.totalLength = 0;
    this.fill(rows, slots);
  }
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

type TransposedRows = Pick<KeywordRows, 'sizes' | 'words' | 'counts'>;

/** Words in the order in which entries have them; those that appear in the same entry are sorted. */
function inOrderOfAppearance({ sizes, words }: TransposedRows, names: readonly string[]): number[] {
  const seen = new Uint8Array(names.length);
  const ordered: number[] = [];
  let at = 0;
  for (const size of sizes) {
    const fresh = Array.from(words.subarray(at, at + size)).filter((word) => !seen[word]);
    fresh.sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
    for (const word of fresh) seen[word] = 1;
    for (const word of fresh) ordered.push(word);
    at += size;
  }
  return ordered;
}
