// Cuts the text of a section into passages, which are found by their meaning: long enough to have one, and so short
// that they have only one.

import { chunksOf } from '../../text/chunker.js';
import type { SitePassage } from '../page.js';
import type { Block } from './block.js';

/** A number of words. Where a passage would end, it ends at the end of a sentence. */
const maxWords = 110;
/** Shorter text joins the passage before it. */
const minWords = 25;
/** A heading begins a new passage, unless the last one is shorter. */
const minBeforeHeading = 50;
/** Shorter pieces of code belong to the sentences round them. */
const minCode = 20;

export function passagesOf(blocks: readonly Block[]): SitePassage[] {
  const passages: SitePassage[] = [];
  let length = 0;
  for (const { text, isCode, weight, isHeading } of blocks) {
    for (const part of partsOf(text, isCode)) {
      const words = countWords(part);
      const last = passages.at(-1);
      const total = length + words;
      const isAlike = last?.weight === weight && (last.isCode === isCode || (!last.isCode && words < minCode));
      const fits = total <= (words < minWords ? maxWords + minWords : maxWords);
      if (last && isAlike && fits && !(isHeading && length >= minBeforeHeading)) {
        last.text += `\n${part}`;
        length = total;
      } else {
        passages.push({ text: part, isCode, weight });
        length = words;
      }
    }
  }
  return passages;
}

function partsOf(text: string, isCode: boolean): string[] {
  if (countWords(text) <= maxWords) return [text];
  return isCode ? codeParts(text) : chunksOf(text, maxWords, 0, countWords).map((chunk) => chunk.text);
}

/** Lines stay whole, except for those of minified code and the like. */
function codeParts(code: string): string[] {
  const parts: string[] = [];
  let length = maxWords;
  for (const line of code.split('\n').flatMap(linesOf)) {
    const words = countWords(line);
    if (length + words > maxWords) {
      parts.push(line);
      length = words;
    } else {
      parts[parts.length - 1] += `\n${line}`;
      length += words;
    }
  }
  return parts.map((part) => part.replace(/^\n+/, '').trimEnd()).filter((part) => part !== '');
}

const linesOf = (line: string): string[] =>
  countWords(line) > maxWords ? chunksOf(line, maxWords, 0, countWords).map((chunk) => chunk.text) : [line];

/**
 * About the number of words: runs without white space, where a long one counts as several; two characters of a script
 * without spaces are a word.
 */
function countWords(text: string): number {
  const spaced =
    text.match(/[^\s\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u9fff\uf900-\ufaff]{1,12}/gu)?.length ?? 0;
  const unspaced = text.match(/[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u9fff\uf900-\ufaff]/gu)?.length ?? 0;
  return spaced + Math.ceil(unspaced / 2);
}
