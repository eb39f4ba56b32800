// Posting lists: the documents that have a word, and its count in each. Documents are numbered in the order in which
// they were added, so a list is sorted. It is stored as the gaps between its documents, in bytes in which the upper bit
// means that another follows; a word that occurs once in a document, as most do, costs one or two bytes (Manning,
// Raghavan, Schuetze: Introduction to Information Retrieval, 5.3).

import { grown } from '../growing.js';
import { maxCounted } from './keyword_rows.js';

/** Words of documents, row after row: what has not been sorted by words yet. */
export class Rows {
  /** Number of different words of each document. */
  sizes = new Uint32Array(0);
  documents = 0;
  words = new Uint32Array(0);
  counts = new Uint8Array(0);
  postings = 0;

  /** Adds a document with these words, each once. */
  push(words: ArrayLike<number>, counts: ArrayLike<number>): void {
    this.sizes = grown(this.sizes, this.documents + 1);
    this.words = grown(this.words, this.postings + words.length);
    this.counts = grown(this.counts, this.postings + words.length);
    this.sizes[this.documents++] = words.length;
    for (let i = 0; i < words.length; ++i) {
      this.words[this.postings] = words[i]!;
      this.counts[this.postings++] = Math.min(counts[i]!, maxCounted);
    }
  }
}

/** The lists of some words for a range of documents. It never changes. */
export interface Segment {
  /** Sorted. */
  words: Uint32Array;
  /** The end of each word's list in `bytes`. */
  ends: Uint32Array;
  /** The last document of each list. */
  last: Uint32Array;
  bytes: Uint8Array;
}

/** The rows by words. The first document has the number `first`; there are `vocabulary` words. */
export function segmentOf(rows: Rows, first: number, vocabulary: number): Segment {
  const starts = new Uint32Array(vocabulary + 1);
  for (let i = 0; i < rows.postings; ++i) starts[rows.words[i]! + 1]! += 1;
  for (let word = 0; word < vocabulary; ++word) starts[word + 1]! += starts[word]!;
  const next = starts.slice();
  const documents = new Uint32Array(rows.postings);
  const counts = new Uint8Array(rows.postings);
  for (let row = 0, i = 0; row < rows.documents; ++row) {
    for (const end = i + rows.sizes[row]!; i < end; ++i) {
      const at = next[rows.words[i]!]!++;
      documents[at] = first + row;
      counts[at] = rows.counts[i]!;
    }
  }
  const writer = new SegmentWriter(vocabulary);
  for (let word = 0; word < vocabulary; ++word) {
    const end = starts[word + 1]!;
    if (starts[word] === end) continue;
    for (let i = starts[word]!; i < end; ++i) writer.posting(documents[i]!, counts[i]!);
    writer.endList(word);
  }
  return writer.finish();
}

/** The lists of both; all documents of `b` come after those of `a`. */
export function joined(a: Segment, b: Segment): Segment {
  const writer = new SegmentWriter(a.words.length + b.words.length);
  for (let i = 0, j = 0; i < a.words.length || j < b.words.length; ) {
    const wordA = a.words[i] ?? Infinity;
    const wordB = b.words[j] ?? Infinity;
    if (wordA <= wordB) writer.copy(a, i++);
    if (wordB <= wordA) writer.copy(b, j++);
    writer.endList(Math.min(wordA, wordB));
  }
  return writer.finish();
}

export interface PostingList {
  documents: Uint32Array;
  counts: Uint8Array;
}

/** The list of a word; undefined if the segment has none. */
export function listOf(segment: Segment, word: number): PostingList | undefined {
  const list = findList(segment, word);
  if (list < 0) return undefined;
  const { bytes } = segment;
  const start = listStart(segment, list);
  const end = segment.ends[list]!;
  const documents = new Uint32Array(end - start);
  const counts = new Uint8Array(end - start);
  let postings = 0;
  let document = -1;
  for (let at = start; at < end; ++postings) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    document += (value >>> 1) + 1;
    documents[postings] = document;
    counts[postings] = value & 1 ? bytes[at++]! : 1;
  }
  return { documents: documents.subarray(0, postings), counts: counts.subarray(0, postings) };
}

function findList({ words }: Segment, word: number): number {
  let low = 0;
  for (let high = words.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return words[low] === word ? low : -1;
}

const listStart = ({ ends }: Segment, list: number): number => (list === 0 ? 0 : ends[list - 1]!);

/**
 * A posting is twice the gap to the document before, less one, plus 1 if a byte with the count follows; without it the
 * count is 1.
 */
class SegmentWriter {
  private readonly words: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly last: Uint32Array;
  private bytes = new Uint8Array(1024);
  private lists = 0;
  private end = 0;
  private document = -1;

  constructor(maxLists: number) {
    this.words = new Uint32Array(maxLists);
    this.ends = new Uint32Array(maxLists);
    this.last = new Uint32Array(maxLists);
  }

  posting(document: number, count: number): void {
    // A gap takes at most five bytes.
    this.bytes = grown(this.bytes, this.end + 6);
    let value = (document - this.document - 1) * 2 + (count === 1 ? 0 : 1);
    for (; value >= 128; value = Math.floor(value / 128)) this.bytes[this.end++] = (value % 128) + 128;
    this.bytes[this.end++] = value;
    if (count !== 1) this.bytes[this.end++] = count;
    this.document = document;
  }

  /** Appends a list of another segment. Only the gap of its first document changes. */
  copy(segment: Segment, list: number): void {
    const start = listStart(segment, list);
    let at = start;
    let value = 0;
    for (let factor = 1, more = true; more; factor *= 128) {
      const byte = segment.bytes[at++]!;
      value += (byte & 127) * factor;
      more = byte >= 128;
    }
    const count = value % 2 === 1 ? segment.bytes[at++]! : 1;
    this.posting(Math.floor(value / 2), count);
    const end = segment.ends[list]!;
    this.bytes = grown(this.bytes, this.end + end - at);
    this.bytes.set(segment.bytes.subarray(at, end), this.end);
    this.end += end - at;
    this.document = segment.last[list]!;
  }

  endList(word: number): void {
    this.words[this.lists] = word;
    this.ends[this.lists] = this.end;
    this.last[this.lists++] = this.document;
    this.document = -1;
  }

  finish(): Segment {
    const { words, ends, last, bytes, lists, end } = this;
    return {
      words: words.slice(0, lists),
      ends: ends.slice(0, lists),
      last: last.slice(0, lists),
      bytes: bytes.slice(0, end),
    };
  }
}
