// What `SearchIndex` needs for queries in words. It is loaded with the first of them.

import type { TopK } from '../top_k.js';

export { KeywordIndex } from './keyword_index.js';

/**
 * Reciprocal rank fusion: the score of an entry is the sum of 1 / (60 + rank) over the rankings that have it, where the best
 * has rank 1 (Cormack, Clarke and Buettcher, SIGIR 2009, whose constant is 60).
 */
export function fuse(rankings: readonly TopK[], into: TopK): TopK {
  const fused = new Map<number, { score: number; order: number }>();
  for (const ranking of rankings) {
    ranking.ranked().forEach(({ slot, order }, i) => {
      const score = (fused.get(slot)?.score ?? 0) + 1 / (rankConstant + i + 1);
      fused.set(slot, { score, order });
    });
  }
  fused.forEach(({ score, order }, slot) => into.offer(score, order, slot));
  return into;
}

const rankConstant = 60;

/** Number of entries of each ranking that count for the best k of both. */
export const fusionDepth = (k: number): number => Math.max(100, 4 * k);
