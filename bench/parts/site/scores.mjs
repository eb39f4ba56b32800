// Scores answers by data/site-queries.jsonl.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const queries = readFileSync(join(import.meta.dirname, '../../data/site-queries.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));

export const kinds = [...new Set(queries.map(({ kind }) => kind))];

const pathOf = (url) => decodeURIComponent(url.replace(/[?#].*$/, '')).replace(/^(\.?\/)+/, '') || 'index.html';

/** The rank of the first page that answers, from 1 on; Infinity if none does. `urls`: best first. */
function rankOf({ pages }, urls) {
  const ranked = [...new Set(urls.map(pathOf))];
  const ranks = pages.map((page) => ranked.indexOf(page) + 1).filter((rank) => rank > 0);
  return Math.min(Infinity, ...ranks);
}

/**
 * Share of queries with an answer among the first three pages, by kind and of `all`, and the mean of 1/rank of the
 * first ten.
 */
export function scoresOf(answers) {
  const ranked = queries.map((query) => ({ kind: query.kind, rank: rankOf(query, answers[query.id] ?? []) }));
  const share = (rows) => rows.filter(({ rank }) => rank <= 3).length / rows.length;
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, share(ranked.filter((row) => row.kind === kind))])),
    all: share(ranked),
    mrr: ranked.reduce((sum, { rank }) => sum + (rank <= 10 ? 1 / rank : 0), 0) / ranked.length,
  };
}
