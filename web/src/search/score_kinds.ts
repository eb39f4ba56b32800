// The kinds of scores of results, and how they are shown.

import type { SearchMode } from './semantic_search.js';

export type ScoreKind = SearchMode | 'reranker';

export interface ScoreRange {
  best: number;
  least: number;
}

interface ScoreDisplay {
  named: string;
  digits: number;
  /** The length of its bar, from 0 to 1. */
  share(score: number, range: ScoreRange): number;
}

const ofBest = (score: number, { best }: ScoreRange): number => score / best;

export const scoreKinds: Record<ScoreKind, ScoreDisplay> = {
  vector: { named: 'cosine similarity', digits: 2, share: (score) => score },
  keyword: { named: 'BM25', digits: 1, share: ofBest },
  hybrid: { named: 'reciprocal ranks', digits: 3, share: ofBest },
  // Some rerankers give logits, whose zero means nothing.
  reranker: {
    named: 'of the reranker',
    digits: 2,
    share: (score, { best, least }) => (score - least) / (best - least || 1),
  },
};
