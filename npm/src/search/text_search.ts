// Searches for texts: by meaning, by words, or by both. `SearchIndex` loads this with the first of them.

import { abortable, throwIfAborted } from '../base/abort.js';
import { checkText } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { boolean, either, integer } from '../base/rules.js';
import { checkOptions, isA, oneOf, type Rule, signal } from '../base/values.js';
import type { EntryTable } from './entry_table.js';
import type { IndexCore } from './index_core.js';
import { queryVector } from './index_vectors.js';
import { type IndexReranker, nearestRules, type SearchOptions } from './search_options.js';
import { TopK } from './top_k.js';

const rules: Record<keyof SearchOptions, Rule> = {
  ...nearestRules,
  mode: oneOf('hybrid', 'vector', 'keyword'),
  vector: ['a Float32Array', (value) => isA(value, 'Float32Array')],
  rerank: either(boolean, integer(1, 2 ** 31 - 1)),
  signal,
};

/** Hits that a reranker reads by default. */
const reranked = 50;

/** The best entries for a text. */
export async function searchTexts(core: IndexCore, query: string, options: SearchOptions = {}): Promise<TopK> {
  checkOptions(options, rules, 'search');
  checkText(query);
  void core.vectors;
  const { k = 10, rerank = false, signal } = options;
  throwIfAborted(signal);
  const { reranker } = core.options;
  if (rerank === false) return ranked(core, query, k, options);
  if (!reranker) throw inputError('missing', "search: 'rerank' needs a reranker");
  const best = await ranked(core, query, Math.max(k, rerank === true ? reranked : rerank), options);
  return rerankedBy(reranker, query, best, k, core.entries, signal);
}

async function ranked(core: IndexCore, query: string, k: number, options: SearchOptions): Promise<TopK> {
  const { filter, signal } = options;
  const { words } = core;
  const hasVector = options.vector !== undefined || core.options.embedder !== undefined;
  const { mode = !words ? 'vector' : hasVector ? 'hybrid' : 'keyword' } = options;
  if (mode !== 'keyword' && !hasVector)
    throw inputError('missing', `search: mode '${mode}' needs an embedder or the option 'vector'`);
  if (mode !== 'vector' && !words) throw inputError('missing', `search: mode '${mode}' needs an index with keywords`);
  const vector = mode === 'keyword' ? undefined : (options.vector ?? (await queryVector(core, query, signal)));
  if (mode === 'vector') return core.ranked(vector!, k, filter);
  const keywords = await abortable(words!.collected(), signal);
  const depth = vector ? fusionDepth(k) : k;
  const matching = new TopK(depth);
  keywords.search(query, (slot, score) => core.offer(matching, slot, score, filter));
  return vector ? fused([await core.ranked(vector, depth, filter), matching], k) : matching;
}

/** Number of entries of each ranking that count for the best k of both. */
const fusionDepth = (k: number): number => Math.max(100, 4 * k);

const rankConstant = 60;

/**
 * Reciprocal rank fusion: the score of an entry is the sum of 1 / (60 + rank) over the rankings that have it, where the
 * best has rank 1 (Cormack, Clarke and Buettcher, SIGIR 2009, whose constant is 60).
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

/** The best k of these entries by the scores of the reranker. Equal scores stay in their order. */
async function rerankedBy(
  reranker: IndexReranker,
  query: string,
  candidates: TopK,
  k: number,
  entries: EntryTable,
  signal: AbortSignal | undefined,
): Promise<TopK> {
  const slots = candidates.ranked().map(({ slot }) => slot);
  const texts = slots.map((slot) => {
    const text = entries.texts.get(slot);
    if (text !== undefined) return text;
    throw inputError('missing', `search: the entry '${entries.id(slot)}' has no text that could be reranked`);
  });
  const best = new TopK(k);
  const scores =
    texts.length === 0 ? [] : await abortable(reranker.rank(query, texts, { ...(signal && { signal }) }), signal);
  for (const { index, score } of scores) if (entries.has(slots[index]!)) best.offer(score, index, slots[index]!);
  return best;
}
