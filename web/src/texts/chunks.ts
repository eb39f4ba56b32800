import { chunkText } from 'quintet';

/** Short passages are found more reliably than long ones, and the embedder was trained on few longer texts. */
const maxTokens = 110;
/** Splitting a text without paragraphs takes more than linear time. */
const blockCharacters = 20_000;

export interface Chunk {
  text: string;
  /** Line number in the text, from 1. */
  line: number;
}

/** Splits a text into parts that are short enough, between paragraphs or sentences where possible. */
export function* chunksOf(text: string, firstLine = 1): Generator<Chunk> {
  let line = firstLine;
  for (const block of blocksOf(text)) {
    let at = 0;
    let lineOfChunk = line;
    for (const { text: chunk, start } of chunkText(block, { maxTokens, countTokens: estimateTokens })) {
      lineOfChunk += newlines(block, at, start);
      at = start;
      yield { text: chunk, line: lineOfChunk };
    }
    line += newlines(block, 0, block.length);
  }
}

function* blocksOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + blockCharacters, text.length);
    const paragraph = end < text.length ? text.lastIndexOf('\n\n', end) : -1;
    const cut = paragraph > start ? paragraph : wholeCharacters(text, end);
    yield text.slice(start, cut);
    start = cut;
  }
}

/** Never between the two halves of a surrogate pair. */
const wholeCharacters = (text: string, at: number): number =>
  at < text.length && /[\uD800-\uDBFF]/.test(text[at - 1]!) ? at + 1 : at;

function newlines(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) ++found;
  return found;
}

/**
 * Estimates the number of tokens, and rather too high: an exact count would need a hundred calls of the embedder for
 * each chunk. The embedder splits what is still too long.
 */
export function estimateTokens(text: string): number {
  let tokens = 2;
  for (const [word] of text.matchAll(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+|[^\s]/gu,
  )) {
    tokens += Math.ceil(word.length / 7);
  }
  return tokens;
}
