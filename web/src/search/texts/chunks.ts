import { chunkText } from 'quintet';

/** Short passages are found better than long ones, and the embedder has seen few longer texts. */
const maxTokens = 110;
/** Splitting takes longer than linear time in a text without paragraphs. */
const blockCharacters = 20_000;

export interface Chunk {
  text: string;
  /** Line of the text, from 1. */
  line: number;
}

/** A long text in parts that are short enough, at paragraphs and sentences where that is possible. */
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

/** Not between the halves of a character. */
const wholeCharacters = (text: string, at: number): number =>
  at < text.length && /[\uD800-\uDBFF]/.test(text[at - 1]!) ? at + 1 : at;

function newlines(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) ++found;
  return found;
}

/**
 * About as many tokens as the embedder will see, rather a few more: counting them exactly would mean asking it, a hundred times for
 * each chunk. What is longer all the same is split by the embedder.
 */
export function estimateTokens(text: string): number {
  let tokens = 2;
  for (const [word] of text.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+|[^\s]/gu)) {
    tokens += Math.ceil(word.length / 7);
  }
  return tokens;
}
