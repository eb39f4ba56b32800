// The weight of a term in a section, in one byte: 16 levels of how much the text is about it, 8 of its share of the
// title, and whether a title above has it. The lengths of sections are in the levels already, so that a page need not
// load them.

import { b, k1 } from '../reader/ranking.js';

const levels = 15;
/** Words of a title by code; 0 stands for a title without the term. */
const titleLengths = [Infinity, 12, 8, 5.5, 4, 3, 2, 1];

/**
 * The level of a text.
 * @param count How often it has the term
 * @param relativeLength Its number of words divided by that of a text on average
 */
export function levelOf(count: number, relativeLength: number): number {
  if (count <= 0) return 0;
  const saturation = count / (count + k1 * (1 - b + b * relativeLength));
  return Math.max(1, Math.round(saturation * levels));
}

/** BM25's weight of a term by level, at most k1 + 1. */
export const saturations: readonly number[] = Array.from(
  { length: levels + 1 },
  (_, level) => ((k1 + 1) * level) / levels,
);

/** The code of a title with this number of words. */
export function titleCode(words: number): number {
  let code = titleLengths.length - 1;
  while (code > 1 && titleLengths[code]! < words) code -= 1;
  return code;
}

/** The share of a title that a term is, by code. */
export const titleShares: readonly number[] = titleLengths.map((length) => 1 / length);

export const postingOf = (level: number, title: number, inTrail: boolean): number =>
  (level << 4) | (title << 1) | (inTrail ? 1 : 0);

export const levelIn = (posting: number): number => posting >> 4;
export const titleIn = (posting: number): number => (posting >> 1) & 7;
export const isInTrail = (posting: number): boolean => (posting & 1) === 1;
