// The search for chunks. For each of them, the tokens of O(log n) texts are counted, for any counts.

import { inputError } from '../base/errors.js';
import { typeName } from '../base/values.js';
import { graphemeStarts, isAt, paragraphEnd, sentenceEnd, wholeCharacter, wordEnd } from './boundaries.js';

/** A chunk of a text: `source.slice(start, end)`. */
export interface TextChunk {
  text: string;
  /** Index of its first UTF-16 code unit in the source. */
  start: number;
  /** Index after its last code unit. */
  end: number;
}

type Count = (text: string) => number;
type IsAt = (at: number) => boolean;

/** Counts need not grow evenly with a text, so that some ends before the furthest one may not fit. */
const maxTries = 16;

/** `countRepeated` counts the repeated tokens, at most `overlap`. */
export function chunksOf(
  text: string,
  maxTokens: number,
  overlap: number,
  countTokens: Count,
  countRepeated = countTokens,
): TextChunk[] {
  /** Estimated number of characters that fit into a chunk, where the search for an end starts. */
  let guess = 4 * maxTokens;
  const chunks: TextChunk[] = [];
  const part = (start: number, end: number) => text.slice(start, end).trimEnd();
  /** A space with a mark is a separate character, and stays. */
  const skipSpace = (at: number) => {
    const next = at + text.slice(at).search(/\S|$/);
    return next < text.length && !graphemeStarts(text, at, next)(next) ? next - 1 : next;
  };

  const isAfter = (boundary: RegExp, isWhole: IsAt) => (at: number) => isAt(boundary, text, at) && isWhole(at);

  /**
   * The best end beyond `least` of a chunk that begins at `start`; undefined if there is none at a boundary of this
   * level.
   */
  function endOf(start: number, least: number, level: number): number | undefined {
    const fits = (end: number) => counted(countTokens, part(start, end)) <= maxTokens;
    const at = (length: number) => wholeCharacter(text, start + length);
    const length = largest(text.length - start, guess, (length) => fits(at(length)));
    const furthest = at(length);
    if (furthest === start) {
      throw inputError('out_of_range', `chunkText: 'maxTokens' of ${maxTokens} is too small for a single character`);
    }
    guess = length;
    if (furthest <= least) return undefined;
    if (furthest === text.length) return furthest;
    const half = Math.max(least + 1, Math.ceil(start + length / 2));
    const isWhole = graphemeStarts(text, start, furthest);
    return (
      firstOf(furthest, half, isAfter(paragraphEnd, isWhole), fits) ??
      firstOf(furthest, half, isAfter(sentenceEnd, isWhole), fits) ??
      firstOf(furthest, least + 1, isAfter(wordEnd, isWhole), fits) ??
      (level > 0 ? firstOf(furthest, least + 1, isWhole, fits) : undefined) ??
      (level > 1 ? furthest : undefined)
    );
  }

  /** The beginning of a chunk that repeats the end of the last one: at most `overlap` tokens, and beyond its start. */
  function overlapping({ start, end }: TextChunk, next: number, level: number): number {
    const fits = (at: number) => at > start && counted(countRepeated, part(at, end)) <= overlap;
    const at = (length: number) => wholeCharacter(text, end - length);
    const length = largest(end - start, guess, (length) => fits(at(length)));
    if (length === 0) return next;
    const furthest = at(length);
    const isWhole = graphemeStarts(text, start, end);
    return (
      firstOf(furthest, Math.floor(end - length / 2), isAfter(sentenceEnd, isWhole), fits) ??
      firstOf(furthest, end - 1, isAfter(wordEnd, isWhole), fits) ??
      (level > 0 ? firstOf(furthest, end - 1, isWhole, fits) : undefined) ??
      next
    );
  }

  for (let next = skipSpace(0); next < text.length; ) {
    const last = chunks.at(-1);
    // The rest of a word that was split is split again.
    let level = last?.end === next && !isAt(wordEnd, text, next) ? 1 : 0;
    const repeated = last && overlap > 0 ? overlapping(last, next, level) : next;
    let start = repeated;
    let end;
    while ((end = endOf(start, next, level)) === undefined) {
      // Text that fits without the overlap is not split.
      if (start === next) ++level;
      start = start === next ? repeated : next;
    }
    const kept = part(start, end);
    // Nothing is kept if a space carries a mark and only the space fits.
    if (kept) chunks.push({ text: kept, start, end: start + kept.length });
    next = skipSpace(end);
  }
  return chunks;
}

/** The first boundary on the way from one position to another that fits. */
function firstOf(from: number, to: number, isBoundary: IsAt, fits: (at: number) => boolean): number | undefined {
  const step = from < to ? 1 : -1;
  for (let at = from, tries = 0; at !== to + step && tries < maxTries; at += step) {
    if (isBoundary(at)) {
      if (fits(at)) return at;
      ++tries;
    }
  }
  return undefined;
}

function counted(countTokens: Count, text: string): number {
  const count: unknown = countTokens(text);
  if (typeof count === 'number' && count >= 0) return count;
  throw inputError('wrong_type', `chunkText: 'countTokens' must return a number synchronously, not ${typeName(count)}`);
}

/** The largest size up to `most` that fits, found by doubling and bisection; 0 if none does. */
function largest(most: number, guess: number, fits: (size: number) => boolean): number {
  let fitting = 0;
  let excess = most + 1;
  for (let size = Math.min(guess, most); size > fitting; ) {
    if (fits(size)) fitting = size;
    else excess = size;
    size = excess > most ? Math.min(2 * size, most) : Math.floor((fitting + excess) / 2);
  }
  return fitting;
}
