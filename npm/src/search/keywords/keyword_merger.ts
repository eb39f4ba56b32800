// Merges the words of saved search indexes. The words of a part are renumbered: first come those of the parts before
// it, then its new ones, in their order. So they are numbered as in an index with all entries.

import type { SafetensorsFile, StreamedTensor } from '../../safetensors/types.js';
import { checkedTensor } from '../index_tensors.js';
import { checkRows, checkWordRules, keywordTypes, readVocabulary, sumOf } from './keyword_file.js';
import { atOnce } from './keyword_index.js';

// Number of words that are renumbered at once, unless an entry has more.
const pieceWords = 1 << 18;

/** Reads something of each part, in order. */
type ReadParts = (
  read: (opened: SafetensorsFile) => AsyncGenerator<Uint8Array, void, undefined>,
) => AsyncIterable<Uint8Array>;

interface Piece {
  words: Uint32Array;
  counts: Uint8Array;
}

export class KeywordMerger {
  private readonly numbers = new Map<string, number>();
  private postings = 0;

  /** Whether any part has words. */
  areThere = false;

  /** Reads the vocabulary of the next part, and checks the shapes. */
  async measure(opened: SafetensorsFile, entries: number): Promise<void> {
    if (!hasWords(opened)) return;
    checkWordRules(opened.metadata);
    const [postings = 0] = tensor(opened, 'keyword_words').shape;
    for (const name of ['keyword_lengths', 'keyword_sizes'] as const) tensor(opened, name, [entries]);
    const sizes = await integers(opened, 'keyword_sizes');
    for (const name of ['keyword_words', 'keyword_counts'] as const) tensor(opened, name, [sumOf(sizes)]);
    for (const word of await vocabularyOf(opened))
      if (!this.numbers.has(word)) this.numbers.set(word, this.numbers.size);
    this.postings += postings;
    this.areThere = true;
  }

  /** The tensors of the merged index, which has `entries` entries. */
  tensors(entries: number, read: ReadParts): Record<string, StreamedTensor> {
    const vocabulary = new TextEncoder().encode(JSON.stringify([...this.numbers.keys()]));
    const streamed = (
      name: keyof typeof keywordTypes,
      count: number,
      data: StreamedTensor['data'],
    ): StreamedTensor => ({
      dtype: keywordTypes[name],
      shape: [count],
      data,
    });
    const pieces = (part: keyof Piece) => read((opened) => bytesOf(this.pieces(opened), part));
    return {
      keywords: streamed('keywords', vocabulary.length, () => vocabulary),
      keyword_lengths: streamed('keyword_lengths', entries, () =>
        read((opened) => integerBytes(opened, 'keyword_lengths')),
      ),
      keyword_sizes: streamed('keyword_sizes', entries, () => read((opened) => integerBytes(opened, 'keyword_sizes'))),
      keyword_words: streamed('keyword_words', this.postings, () => pieces('words')),
      keyword_counts: streamed('keyword_counts', this.postings, () => pieces('counts')),
    };
  }

  /** The renumbered words of a part, whole entries at a time. */
  private async *pieces(opened: SafetensorsFile): AsyncGenerator<Piece, void, undefined> {
    if (!hasWords(opened)) return;
    const vocabulary = await vocabularyOf(opened);
    const sizes = await integers(opened, 'keyword_sizes');
    const lengths = await integers(opened, 'keyword_lengths');
    for (let first = 0, from = 0; first < sizes.length; ) {
      let end = first;
      let to = from;
      do to += sizes[end++]!;
      while (end < sizes.length && to + sizes[end]! - from <= pieceWords);
      const words = (await tensor(opened, 'keyword_words').read({ from, to })).data as Uint32Array;
      const counts = (await tensor(opened, 'keyword_counts').read({ from, to })).data as Uint8Array;
      const rows = { lengths: lengths.subarray(first, end), sizes: sizes.subarray(first, end), words, counts };
      atOnce(checkRows(rows, vocabulary.length));
      yield this.renumbered(rows, vocabulary);
      first = end;
      from = to;
    }
  }

  private renumbered({ sizes, words, counts }: Piece & { sizes: Uint32Array }, vocabulary: readonly string[]): Piece {
    const piece = { words: new Uint32Array(words.length), counts: new Uint8Array(words.length) };
    let at = 0;
    for (const size of sizes) {
      // A number with its count as the fraction, to sort both together.
      const row = Float64Array.from(
        { length: size },
        (_, i) => this.numbers.get(vocabulary[words[at + i]!]!)! + counts[at + i]! / 256,
      );
      for (const numbered of row.sort()) {
        const number = Math.floor(numbered);
        piece.words[at] = number;
        piece.counts[at++] = (numbered - number) * 256;
      }
    }
    return piece;
  }
}

const tensor = (opened: SafetensorsFile, name: keyof typeof keywordTypes, shape?: number[]) =>
  checkedTensor(name, opened.tensors.get(name), keywordTypes[name], shape);

const hasWords = ({ tensors }: SafetensorsFile): boolean => tensors.has('keywords');

/** Zeros for the entries of a part without words. */
const integers = async (opened: SafetensorsFile, name: 'keyword_lengths' | 'keyword_sizes') =>
  hasWords(opened)
    ? ((await tensor(opened, name).read()).data as Uint32Array)
    : new Uint32Array(opened.tensors.get('vectors')!.shape[0]!);

const vocabularyOf = async (opened: SafetensorsFile) =>
  atOnce(readVocabulary((await tensor(opened, 'keywords').read()).data as Uint8Array));

async function* integerBytes(opened: SafetensorsFile, name: 'keyword_lengths' | 'keyword_sizes') {
  yield viewOf(await integers(opened, name));
}

async function* bytesOf(pieces: AsyncIterable<Piece>, part: keyof Piece) {
  for await (const piece of pieces) yield viewOf(piece[part]);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
