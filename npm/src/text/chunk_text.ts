import { checkText, requireOption } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { callback, integer } from '../base/rules.js';
import { checkOptions } from '../base/values.js';
import { chunksOf, type TextChunk } from './chunker.js';

export type { TextChunk };

/** Options of `chunkText`. */
export interface ChunkOptions {
  /** Maximum number of tokens per chunk, as counted by `countTokens`. */
  maxTokens: number;
  /** Maximum number of tokens repeated from the end of the previous chunk. Default 0. */
  overlap?: number;
  /** Returns the number of tokens of a text, synchronously. A longer text should not have fewer tokens. */
  countTokens(text: string): number;
}

const rules = { maxTokens: integer(1, 2 ** 31 - 1), overlap: integer(0, 2 ** 31 - 1), countTokens: callback };

/**
 * Splits a long text into chunks of at most `maxTokens` tokens: between paragraphs if the chunk is then at least half
 * full, else between sentences, else between words, and inside a word only if the word does not fit into a chunk;
 * inside what readers see as one character (a grapheme cluster of UAX #29) only if that does not fit either. Scripts
 * that are written without spaces are split between any two characters. White space around chunks is left out; a text
 * of only white space gives no chunks. Surrogate pairs are never split.
 *
 * The repeated part of the previous chunk begins with a sentence if that is at least half of `overlap`, else with a
 * word.
 * @throws QuintetError INPUT
 */
export function chunkText(text: string, options: ChunkOptions): TextChunk[] {
  checkText(text);
  checkOptions(options, rules, 'chunkText');
  const maxTokens = requireOption(options, 'maxTokens', 'chunkText');
  const countTokens = requireOption(options, 'countTokens', 'chunkText');
  const { overlap = 0 } = options;
  if (overlap >= maxTokens) throw inputError('out_of_range', "chunkText: 'overlap' must be less than 'maxTokens'");
  return chunksOf(text, maxTokens, overlap, countTokens);
}
