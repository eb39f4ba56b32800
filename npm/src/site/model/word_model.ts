// Embeds the words of a site when its index is built. The vector of a text is the sum of its words' vectors, scaled
// to length 1, so a page needs no model: only the vectors of the words that it meets.

export interface WordModel {
  readonly name: string;
  /** Changes whenever a vector may: vectors that are kept between builds are named by it. */
  readonly fingerprint: string;
  /** Number of elements of a vector. */
  readonly dimension: number;
  /** Words of the model's language, most frequent first: those that a query may use though the site does not. */
  readonly frequentWords: readonly string[];
  /**
   * The vectors of words, as `wordsOf` splits texts, one after another. Zeros for a word that the model does not have.
   */
  vectorsOf(words: readonly string[]): Promise<Float32Array>;
  close(): void;
}
