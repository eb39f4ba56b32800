// Queries in words. `SearchIndex` loads this with the first of them.

import { inputError } from '../../base/errors.js';
import { checkOptions, isA, oneOf, type Rule } from '../../base/values.js';
import type { EntryTable } from '../entry_table.js';
import {
  type QueryEmbedder,
  type SearchOptions,
  searchRules,
  type TextOfPayload,
  type TextSearchOptions,
} from '../search_options.js';
import { TopK } from '../top_k.js';
import { KeywordIndex } from './keyword_index.js';

export { KeywordIndex };

/** What a search for a text needs of an index. */
interface Searched {
  words(): Promise<KeywordIndex>;
  nearest(vector: Float32Array, k: number, filter: SearchOptions['filter']): TopK;
  offer(best: TopK, slot: number, score: number, filter: SearchOptions['filter']): void;
}

const vectorRule: Rule = ['a Float32Array', (value) => isA(value, 'Float32Array')];
const rules = { ...searchRules, mode: oneOf('hybrid', 'vector', 'keyword'), vector: vectorRule };

/** The words of all entries: of texts that were given, or those of their payloads. */
export function wordsOfEntries(entries: EntryTable, given: Map<number, string>, text: TextOfPayload | undefined): KeywordIndex {
  const keywords = new KeywordIndex(text);
  for (const slot of entries.inOrder()) keywords.set(slot, keywords.textOf(entries.payload(slot), given.get(slot)));
  return keywords;
}

/** The best entries for a text. */
export async function rankTexts(
  query: string,
  options: TextSearchOptions | undefined,
  embedder: QueryEmbedder | undefined,
  index: Searched,
): Promise<TopK> {
  checkOptions(options, rules, 'search');
  const { k = 10, filter, vector: given, mode = embedder || given ? 'hybrid' : 'keyword' } = options ?? {};
  if (mode !== 'keyword' && !given && !embedder) {
    throw inputError('missing', `search: mode '${mode}' needs an embedder or the option 'vector'`);
  }
  const vector = mode === 'keyword' ? undefined : (given ?? (await embedder!.embed(query)));
  if (mode === 'vector') return index.nearest(vector!, k, filter);
  const keywords = await index.words();
  const depth = vector ? fusionDepth(k) : k;
  const matching = new TopK(depth);
  keywords.search(query, (slot, score) => index.offer(matching, slot, score, filter));
  return vector ? fused([index.nearest(vector, depth, filter), matching], k) : matching;
}

/** Number of entries of each ranking that count for the best k of both. */
const fusionDepth = (k: number): number => Math.max(100, 4 * k);

const rankConstant = 60;

/**
 * Reciprocal rank fusion: the score of an entry is the sum of 1 / (60 + rank) over the rankings that have it, where the best
 * has rank 1 (Cormack, Clarke and Buettcher, SIGIR 2009, whose constant is 60).
 */
function fused(rankings: readonly TopK[], k: number): TopK {
  const sums = new Map<number, { score: number; order: number }>();
  for (const ranking of rankings) {
    ranking.ranked().forEach(({ slot, order }, i) => {
      sums.set(slot, { score: (sums.get(slot)?.score ?? 0) + 1 / (rankConstant + i + 1), order });
    });
  }
  const best = new TopK(k);
  sums.forEach(({ score, order }, slot) => best.offer(score, order, slot));
  return best;
}
