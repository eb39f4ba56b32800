// Ranks texts by the words that they share with a query: BM25 (Robertson and Zaragoza, The Probabilistic Relevance
// Framework, 2009), with the inverse document frequency that Lucene uses, which is never negative. Only texts with
// words count as documents.

import { grown } from '../growing.js';
import type { Steps } from '../steps.js';
import type { KeywordRows } from './keyword_rows.js';
import { joined, listOf, type PostingList, Rows, type Segment, segmentOf } from './postings.js';
import { wordsOf } from './words.js';

const k1 = 1.2;
const b = 0.75;

/** Postings that wait for the next segment: it takes milliseconds to sort them. */
const maxWaiting = 1 << 16;
/**
 * Bytes of a segment that is not joined with others any more: that would take long, and hardly make searching faster.
 */
const maxJoined = 1 << 19;
/** Entries, words or postings of a step. */
const entriesPerStep = 256;
const wordsPerStep = 1024;
const postingsPerStep = 1 << 14;
/** Removed documents that may stay even if there are few others. */
const maxRemoved = 1000;
/** No document, slot or entry. */
const none = 2 ** 32 - 1;

/** Receives an entry with a score above 0. */
type Take = (slot: number, score: number) => void;

export class KeywordIndex {
  private readonly numbers = new Map<string, number>();
  /** Segments for successive ranges of documents, large ones before small ones. */
  private segments: Segment[] = [];
  private waiting = new Rows();

  // Slots by document: a slot gets a new document whenever its text changes.
  private documents = 0;
  private slots = new Uint32Array(0);
  private lengths = new Uint32Array(0);
  private readonly documentOf: number[] = [];
  /** Number of documents that are still those of a slot, and the sum of their lengths. */
  private alive = 0;
  private totalLength = 0;

  private scores = new Float64Array(0);

  /** Number of texts with words. */
  get size(): number {
    return this.alive;
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
    if (this.documents > 2 * this.alive + maxRemoved) this.dropRemoved();
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

  /**
   * The words of these slots. They depend on nothing that the index had before, nor on what changes between the steps.
   */
  *rows(order: Uint32Array): Steps<KeywordRows> {
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
    const segments = [...this.segments];
    const byNumber = yield* transposed(segments, names.keys(), entries, order.length);
    const numbers = yield* inOrderOfAppearance(byNumber, names);
    const rows = yield* transposed(segments, numbers, entries, order.length);
    return { vocabulary: numbers.map((number) => names[number]!), lengths, ...rows };
  }

  /** Adds the words of entries, to the slots in their order. */
  *fill({ vocabulary, lengths, sizes, words, counts }: KeywordRows, slots: ArrayLike<number>): Steps<void> {
    for (const [number, word] of vocabulary.entries()) {
      this.numbers.set(word, number);
      if (number % wordsPerStep === 0) yield;
    }
    for (let entry = 0, at = 0; entry < sizes.length; ++entry) {
      const end = at + sizes[entry]!;
      if (end > at) this.push(slots[entry]!, lengths[entry]!, words.subarray(at, end), counts.subarray(at, end));
      at = end;
      if (entry % entriesPerStep === 0) yield;
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
    if (this.waiting.postings > maxWaiting) this.sortWaiting();
  }

  /** Turns what waits into a segment. Joining those of similar size keeps their number logarithmic. */
  private sortWaiting(): void {
    const { segments, waiting } = this;
    if (waiting.documents === 0) return;
    segments.push(segmentOf(waiting, this.documents - waiting.documents, this.numbers.size));
    this.waiting = new Rows();
    for (
      let before, last;
      (before = segments.at(-2)) && (last = segments.at(-1));
      segments.splice(-2, 2, joined(before, last))
    ) {
      if (before.bytes.length >= Math.min(2 * last.bytes.length, maxJoined)) break;
    }
  }

  private dropRemoved(): void {
    this.sortWaiting();
    const slots = this.slots.subarray(0, this.documents).filter((slot) => slot !== none);
    const rows = atOnce(this.rows(slots));
    this.numbers.clear();
    this.segments = [];
    this.documents = this.alive = this.totalLength = 0;
    atOnce(this.fill(rows, slots));
  }
}

/** Does the work at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

type TransposedRows = Pick<KeywordRows, 'sizes' | 'words' | 'counts'>;

/** The words of each entry, numbered and sorted as in `words`. `entries`: of each document its entry. */
function* transposed(
  segments: readonly Segment[],
  words: Iterable<number>,
  entries: Uint32Array,
  count: number,
): Steps<TransposedRows> {
  const inOrder = [...words];
  const sizes = new Uint32Array(count);
  function* visit(posting: (entry: number, number: number, count: number) => void): Steps<void> {
    let visited = 0;
    for (const [number, word] of inOrder.entries()) {
      for (const segment of segments) {
        const list = listOf(segment, word);
        visited += 1 + (list?.documents.length ?? 0);
        list?.documents.forEach((document, i) => {
          const entry = entries[document]!;
          if (entry !== none) posting(entry, number, list.counts[i]!);
        });
      }
      if (visited < postingsPerStep) continue;
      visited = 0;
      yield;
    }
  }
  yield* visit((entry) => (sizes[entry]! += 1));
  const next = new Uint32Array(count + 1);
  sizes.forEach((size, entry) => (next[entry + 1] = next[entry]! + size));
  const rows = { sizes, words: new Uint32Array(next[count]!), counts: new Uint8Array(next[count]!) };
  yield* visit((entry, number, count) => {
    const at = next[entry]!++;
    rows.words[at] = number;
    rows.counts[at] = count;
  });
  return rows;
}

/** Words in the order in which entries have them; those that appear in the same entry are sorted. */
function* inOrderOfAppearance({ sizes, words }: TransposedRows, names: readonly string[]): Steps<number[]> {
  const seen = new Uint8Array(names.length);
  const ordered: number[] = [];
  let at = 0;
  for (const [entry, size] of sizes.entries()) {
    const fresh = Array.from(words.subarray(at, at + size)).filter((word) => !seen[word]);
    fresh.sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
    for (const word of fresh) seen[word] = 1;
    for (const word of fresh) ordered.push(word);
    at += size;
    if (entry % entriesPerStep === 0) yield;
  }
  return ordered;
}
