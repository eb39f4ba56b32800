// The part of a text that shows best why it was found.

import type { SiteExcerpt } from '../types.js';

/** A word of the query in a text: UTF-16 units. */
export interface FoundWord {
  term: string;
  weight: number;
  start: number;
  end: number;
}

/** UTF-16 units of an excerpt, without the signs that something was left out. */
const maxLength = 200;
/** Units before the first word that is found, in long sentences. */
const context = 50;
/** Signs that a sentence ends with, after which spaces follow, or of scripts without spaces. */
const sentenceEnd = /[.!?…]["'”’)\]]*\s+|[。！？]|\n+/g;
/** Belongs to the character before it. */
const joined = /^(?:\p{M}|\p{EMod}|[\udc00-\udfff]|\u200d)/u;

/** The share of the query that a text contains: the weights of the words in it, each once. */
export function weightOf(found: readonly FoundWord[]): number {
  const weights = new Map(found.map(({ term, weight }) => [term, weight]));
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  return sum;
}

/** `found`: in the order of their beginnings. */
export function excerptOf(text: string, found: readonly FoundWord[]): SiteExcerpt {
  const starts = sentenceStarts(text);
  const start = bestStart(text, found, starts);
  const end = endFrom(text, start, starts);
  const isCutBefore = start > 0 && !starts.includes(start);
  const isCutAfter = end < text.length && !starts.includes(end);
  const shown = text.slice(start, end).trimEnd();
  const before = isCutBefore ? '…' : '';
  const marks: [number, number][] = [];
  for (const word of found) {
    if (word.start < start || word.end > start + shown.length) continue;
    const [from, to] = [word.start - start + before.length, word.end - start + before.length];
    const last = marks.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  return { text: before + shown + (isCutAfter ? '…' : ''), marks };
}

function sentenceStarts(text: string): number[] {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(sentenceEnd)) starts.push(index + end.length);
  return starts;
}

/**
 * The beginning of a sentence, or of a word not far before one that is found, after which most of the query follows.
 */
function bestStart(text: string, found: readonly FoundWord[], sentences: readonly number[]): number {
  const near = found.map(({ start }) => wordBefore(text, start));
  let [best, bestWeight] = [0, -1];
  for (const start of [...sentences, ...near]) {
    const inside = found.filter((word) => word.start >= start && word.end <= start + maxLength);
    // Whole sentences read best, and the one that the first word is in.
    const isSentence = sentences.includes(start);
    const weight = weightOf(inside) * (isSentence ? 1.1 : 1);
    if (weight > bestWeight || (isSentence && weight > 0 && weight === bestWeight))
      [best, bestWeight] = [start, weight];
  }
  return best;
}

function wordBefore(text: string, at: number): number {
  const from = Math.max(0, at - context);
  if (from === 0) return 0;
  const space = text.slice(from, at).search(/\s/);
  return space < 0 ? characterAt(text, from) : from + space + 1;
}

function endFrom(text: string, start: number, sentences: readonly number[]): number {
  if (text.length - start <= maxLength) return text.length;
  const limit = start + maxLength;
  const sentence = sentences.filter((each) => each <= limit).at(-1) ?? 0;
  if (sentence > start + maxLength / 2) return sentence;
  const space = text.slice(start, limit).search(/\s\S*$/);
  return space > maxLength / 2 ? start + space : characterAt(text, limit);
}

/** The nearest place at or before this one where no character is cut. */
function characterAt(text: string, at: number): number {
  let place = at;
  while (place > 0 && (joined.test(text.slice(place, place + 2)) || text[place - 1] === '\u200d')) place -= 1;
  return place;
}
