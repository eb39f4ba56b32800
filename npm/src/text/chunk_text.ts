import { requireOption } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { checkOptions } from '../base/options.js';
import { callback, integer } from '../base/rules.js';
import { typeName } from '../base/values.js';

/** Options of `chunkText`. */
export interface ChunkOptions {
  /** Maximum number of tokens per chunk, as counted by `countTokens`. */
  maxTokens: number;
  /** Maximum number of tokens repeated from the end of the previous chunk. Default 0. */
  overlap?: number;
  /** Returns the number of tokens of a text, synchronously. A longer text should not have fewer tokens. */
  countTokens(text: string): number;
}

/** A chunk of a text: `source.slice(start, end)`. */
export interface TextChunk {
  text: string;
  /** Index of its first UTF-16 code unit in the source. */
  start: number;
  /** Index after its last code unit. */
  end: number;
}

const rules = { maxTokens: integer(1, 2 ** 31 - 1), overlap: integer(0, 2 ** 31 - 1), countTokens: callback };

/**
 * Splits a long text into chunks of at most `maxTokens` tokens: between paragraphs if the chunk is then at least half
 * full, else between sentences, else between words, and inside a word only if the word does not fit into a chunk. White
 * space around chunks is left out; a text of only white space gives no chunks. Surrogate pairs are never split.
 * @throws QuintetError INPUT
 */
export function chunkText(text: string, options: ChunkOptions): TextChunk[] {
  if (typeof text !== 'string') {
    throw inputError('wrong_type', `chunkText: the text must be a string, not ${typeName(text)}`);
  }
  checkOptions(options, rules, 'chunkText');
  const maxTokens = requireOption(options, 'maxTokens', 'chunkText');
  const countTokens = requireOption(options, 'countTokens', 'chunkText');
  const { overlap = 0 } = options;
  if (overlap >= maxTokens) throw inputError('out_of_range', "chunkText: 'overlap' must be less than 'maxTokens'");
  return new Chunker(text, maxTokens, overlap, countTokens).chunks();
}

class Chunker {
  /** Estimated number of characters that fit into a chunk, where the search for an end starts. */
  private guess: number;

  constructor(
    private readonly text: string,
    private readonly maxTokens: number,
    private readonly overlap: number,
    private readonly countTokens: (text: string) => number,
  ) {
    this.guess = 4 * maxTokens;
  }

  chunks(): TextChunk[] {
    const chunks: TextChunk[] = [];
    for (let next = this.skipSpace(0); next < this.text.length; ) {
      const [start, end] = this.nextChunk(chunks.at(-1), next);
      const trimmed = this.trimEnd(start, end);
      chunks.push({ text: this.text.slice(start, trimmed), start, end: trimmed });
      next = this.skipSpace(end);
    }
    return chunks;
  }

  /** Start, including the overlap, and end of the chunk that continues the text at `next`. */
  private nextChunk(last: TextChunk | undefined, next: number): [start: number, end: number] {
    const start = last ? this.overlapping(last, next) : next;
    const end = this.endOf(start, next);
    // The overlap may leave no room for new text.
    return end === undefined ? [next, this.endOf(next, next)!] : [start, end];
  }

  /** The best end beyond `least` of a chunk that begins at `start`; undefined if nothing fits. */
  private endOf(start: number, least: number): number | undefined {
    const furthest = this.furthestEnd(start);
    if (furthest <= least) return undefined;
    if (furthest === this.text.length) return furthest;
    const half = start + Math.ceil((furthest - start) / 2);
    for (const isBoundary of [isParagraphEnd, isSentenceEnd]) {
      const end = this.lastBoundary(isBoundary, furthest, Math.max(half, least + 1), start);
      if (end !== undefined) return end;
    }
    return this.lastBoundary(isWordEnd, furthest, least + 1, start) ?? furthest;
  }

  /** The last boundary in [from, to] up to which the chunk fits. All are tried: token counts need not grow evenly. */
  private lastBoundary(isBoundary: Boundary, to: number, from: number, start: number): number | undefined {
    for (let end = to; end >= from; --end) {
      if (isBoundary(this.text, end) && this.fits(start, end)) return end;
    }
    return undefined;
  }

  /** The furthest end that fits, found by doubling and bisection. */
  private furthestEnd(start: number): number {
    let fitting = start;
    let excess = this.text.length + 1;
    for (let probe = start + this.guess; ; ) {
      const end = this.wholeCharacter(Math.min(probe, this.text.length));
      if (end <= fitting || end >= excess) break;
      if (this.fits(start, end)) fitting = end;
      else excess = end;
      if (fitting === this.text.length) break;
      probe = excess > this.text.length ? start + 2 * (end - start) : fitting + Math.ceil((excess - fitting) / 2);
      if (this.wholeCharacter(probe) >= excess) probe = this.before(excess);
    }
    if (fitting > start) {
      this.guess = fitting - start;
      return fitting;
    }
    throw inputError('out_of_range', `chunkText: 'maxTokens' of ${this.maxTokens} is too small for a single character`);
  }

  /** Where a chunk begins: at a word, at most `overlap` tokens before the end of the last and beyond its start. */
  private overlapping({ start, end }: TextChunk, next: number): number {
    let best = next;
    for (let at = end - 1; this.overlap > 0 && at > start; --at) {
      if (!isWordEnd(this.text, at)) continue;
      if (this.count(at, end) > this.overlap) break;
      best = at;
    }
    return best;
  }

  private fits(start: number, end: number): boolean {
    return this.count(start, this.trimEnd(start, end)) <= this.maxTokens;
  }

  private count(start: number, end: number): number {
    const count: unknown = this.countTokens(this.text.slice(start, end));
    if (typeof count === 'number' && count >= 0) return count;
    throw inputError('wrong_type', `chunkText: 'countTokens' must return a number synchronously, not ${typeName(count)}`);
  }

  private skipSpace(at: number): number {
    while (at < this.text.length && isSpace(this.text, at)) ++at;
    return at;
  }

  private trimEnd(start: number, end: number): number {
    while (end > start && isSpace(this.text, end - 1)) --end;
    return end;
  }

  /** The position, or the next one if it would split a surrogate pair. */
  private wholeCharacter(at: number): number {
    return splitsPair(this.text, at) ? at + 1 : at;
  }

  private before(at: number): number {
    return splitsPair(this.text, at - 1) ? at - 2 : at - 1;
  }
}

// A boundary at a position is between `text[at - 1]` and `text[at]`.
type Boundary = (text: string, at: number) => boolean;

const isSpace: Boundary = (text, at) => /\s/.test(text[at]!);

const splitsPair: Boundary = (text, at) => /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1));

const isWordEnd: Boundary = (text, at) =>
  at > 0 && (at === text.length || (isSpace(text, at - 1) && !isSpace(text, at)));

const isParagraphEnd: Boundary = (text, at) => isWordEnd(text, at) && /\n\s*\n\s*$/.test(spaceBefore(text, at));

// Chinese and Japanese put no space after a sentence.
const isSentenceEnd: Boundary = (text, at) =>
  /[。！？]/.test(text[at - 1] ?? '') ||
  (isWordEnd(text, at) && /(?:[.!?…]["')\]»”’]*|\n)\s*$/.test(text.slice(Math.max(0, at - 16), at)));

function spaceBefore(text: string, at: number): string {
  let begin = at;
  while (begin > 0 && isSpace(text, begin - 1)) --begin;
  return text.slice(begin, at);
}
