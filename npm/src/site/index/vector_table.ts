// Collects the words of a language's passages, and has their vectors computed.

import type { VectorsEntry } from '../format/files.js';
import type { WordModel } from '../model/word_model.js';
import { titleVectorWeight } from '../reader/ranking.js';
import type { Lexicon } from './lexicon.js';
import { PassageWords } from './passage_words.js';
import { type ListedWords, SiteVectors } from './site_vectors.js';
import type { StoredFile } from './stored_file.js';
import { filesOf } from './vector_thread.js';

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
  private readonly vectors: SiteVectors;
  /** Passages without a vector yet. */
  private waiting = new PassageWords();
  private places = { sections: [] as number[], numbers: [] as number[] };

  constructor(
    private readonly model: WordModel,
    private readonly lexicon: Lexicon,
  ) {
    this.vectors = SiteVectors.empty(model.dimension);
  }

  /** `titles`: the words of the titles above the passages of a section. `passages`: the words of each. */
  async add(section: number, titles: readonly number[], passages: readonly (readonly number[])[]): Promise<void> {
    for (const [number, text] of passages.entries()) {
      this.waiting.push(titles, text, titleVectorWeight);
      this.places.sections.push(section);
      this.places.numbers.push(number);
    }
    if (this.waiting.entries < maxWaiting) return;
    await this.learn();
    this.vectors.settle(this.waiting, this.places);
    this.waiting = new PassageWords();
    this.places = { sections: [], numbers: [] };
  }

  /** The files, and their entry in the manifest if there are any. Nothing can be added any longer. */
  async files(): Promise<{ entry: VectorsEntry | undefined; files: readonly StoredFile[] }> {
    const listed = await this.listed();
    const { vectors, waiting, places } = this;
    const { entry, files } = await filesOf({ vectors, waiting, places, listed });
    return { entry: entry && { model: this.model.name, ...entry }, files };
  }

  /** Gets vectors for the words of the lexicon that are new. */
  private async learn(): Promise<void> {
    const { lexicon, vectors } = this;
    while (vectors.wordCount < lexicon.words.length) {
      const fresh = lexicon.words.slice(vectors.wordCount, vectors.wordCount + learnedWords);
      vectors.addWords(await this.model.vectorsOf(fresh));
    }
  }

  private async listed(): Promise<ListedWords> {
    const { lexicon } = this;
    const frequent = new Set(this.model.frequentWords.slice(0, maxFrequent).map((word) => lexicon.numberOf(word)));
    await this.learn();
    const rows = Uint32Array.from(
      lexicon.words.map((_, row) => row).filter((row) => frequent.has(row) || lexicon.countOf(row) >= minCount),
    );
    return {
      rows,
      words: Array.from(rows, (row) => lexicon.words[row]!),
      counts: rows.map((row) => lexicon.countOf(row)),
    };
  }
}
