// Finds the words of the site that a misspelt word may have meant: those with one or two edits that begin or end like
// it.

import type { ByteReader } from '../format/byte_reader.js';
import { editDistance } from './edit_distance.js';
import { fileAt, type Shards } from './shards.js';

/** The words of a file in their order, and the logarithms of how often they occur. */
export interface VocabularyShard {
  words: string[];
  frequencies: Uint8Array;
}

export interface NearWord {
  word: string;
  edits: number;
}

/** Files that are looked through in each direction, nearest first. */
const maxFiles = 3;
/** Words that are taken for one. */
const maxNear = 3;

export function readVocabulary(reader: ByteReader): VocabularyShard {
  const words: string[] = [];
  for (let left = reader.count('words', 3); left > 0; --left) words.push(reader.textAfter(words.at(-1) ?? ''));
  const frequencies = reader.raw(words.length);
  reader.end();
  return { words, frequencies };
}

export class Vocabulary {
  constructor(
    private readonly forward: readonly string[],
    private readonly backward: readonly string[],
    private readonly shards: Shards<VocabularyShard>,
  ) {}

  /** The words with the fewest edits, and among them the most frequent ones. */
  async near(word: string): Promise<NearWord[]> {
    const characters = [...word];
    const maxEdits = maxEditsOf(characters.length);
    if (maxEdits === 0) return [];
    const reversed = [...characters].reverse().join('');
    const [forward, backward] = await Promise.all([
      this.candidates(word, this.forward, 0),
      this.candidates(reversed, this.backward, this.forward.length),
    ]);
    const found = new Map<string, { edits: number; frequency: number }>();
    const consider = (candidate: string, frequency: number) => {
      const edits = editDistance(word, candidate, maxEdits);
      if (edits <= maxEdits) found.set(candidate, { edits, frequency });
    };
    for (const { words, frequencies } of forward) words.forEach((each, i) => consider(each, frequencies[i]!));
    for (const { words, frequencies } of backward) {
      words.forEach((each, i) => {
        if (Math.abs(each.length - word.length) <= maxEdits && sharesStart(each, reversed)) {
          consider([...each].reverse().join(''), frequencies[i]!);
        }
      });
    }
    const ranked = [...found].sort(
      ([a, one], [b, other]) =>
        one.edits - other.edits ||
        Number(b[0] === word[0]) - Number(a[0] === word[0]) ||
        other.frequency - one.frequency ||
        (a < b ? -1 : 1),
    );
    const fewest = ranked[0]?.[1].edits;
    return ranked
      .filter(([, { edits }]) => edits === fewest)
      .slice(0, maxNear)
      .map(([near, { edits }]) => ({ word: near, edits }));
  }

  /** The files with words that begin like this one; those around its own place if there are many. */
  private candidates(word: string, firsts: readonly string[], firstFile: number): Promise<VocabularyShard[]> {
    if (firsts.length === 0) return Promise.resolve([]);
    const beginning = word.slice(0, Math.max(1, Math.floor(word.length / 3)));
    const low = Math.max(0, fileAt(firsts, beginning));
    const high = Math.max(low, fileAt(firsts, `${beginning}\uffff`));
    const own = Math.max(0, fileAt(firsts, word));
    const files: number[] = [];
    for (let file = low; file <= high; ++file) files.push(file);
    files.sort((a, b) => Math.abs(a - own) - Math.abs(b - own));
    return Promise.all(files.slice(0, maxFiles).map((file) => this.shards.get(firstFile + file)));
  }
}

/** One edit in words of four characters, two in those of eight. Shorter ones are too near to each other. */
const maxEditsOf = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

const sharesStart = (one: string, other: string): boolean => one[0] === other[0];
