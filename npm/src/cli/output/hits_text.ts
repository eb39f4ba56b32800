// Hits of a search, or reranked texts, for people.
import type { Hit } from '../records/passage_index.js';

export function hitsText(hits: readonly Hit[]): string {
  return hits
    .map(({ id, score, title, text }) => {
      const heading = title === undefined ? '' : `  ${title}`;
      return `${score.toFixed(4)}  ${id}${heading}\n        ${text}\n`;
    })
    .join('\n');
}
