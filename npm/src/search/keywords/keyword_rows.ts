// The saved form of the words of texts.

/** Counts above it are stored as this one: the score hardly depends on them any more. */
export const maxCounted = 255;

/**
 * The rules by which texts are split into words and these are folded (words.ts). The number changes with the words of
 * any text.
 */
export const wordRules = '3';

/** The words of texts in the order of the entries, as they are saved. */
export interface KeywordRows {
  /** In the order in which entries have them, those of one entry sorted. */
  vocabulary: readonly string[];
  /** Number of words of each entry's text; 0 if it has none. */
  lengths: Uint32Array;
  /** Number of different words of each entry. */
  sizes: Uint32Array;
  /** Numbers of these words, ascending for each entry, and how often they occur. */
  words: Uint32Array;
  counts: Uint8Array;
}
