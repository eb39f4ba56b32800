// Ranks pages by the words and the meaning of their sections.

import { TopK } from '../../search/top_k.js';
import type { Head } from './head.js';
import type { NearPassage } from './passage_clusters.js';
import { maxSections, minSectionShare, otherSectionsShare } from './ranking.js';

/** A page that answers, and its sections, best first. */
export interface RankedPage {
  page: number;
  score: number;
  sections: RankedSection[];
}

export interface RankedSection {
  section: number;
  score: number;
  /** The number of the passage whose meaning is nearest to the query's. */
  passage?: number;
}

/** The selection of pages, and their order. */
export interface Wanted {
  /** Number of pages. */
  k: number;
  /** A byte a page: 0 for those that a filter leaves out. */
  chosen?: Uint8Array;
  /** The place of each page, if it is not the best that comes first. */
  places?: Int32Array;
}

/**
 * Passages near to a query, best first, and the weight of the best one relative to the words, whose best page has 1.
 */
export interface MeantPassages {
  passages: readonly NearPassage[];
  weight: number;
}

/** `words`: the scores of all sections. `meant`: the results of each embedding. */
export function rankPages(
  words: Float32Array,
  meant: readonly MeantPassages[],
  head: Head,
  wanted: Wanted,
): RankedPage[] {
  const { pageOf, firstSections, pages } = head;
  const { k, chosen, places } = wanted;
  const byWords = pageScores(words, head);
  const largest = byWords.reduce((most, score) => Math.max(most, score), 0) || 1;
  const { sections: meaning, pages: byMeaning } = meaningScores(meant, pageOf);
  const top = new TopK(k);
  for (let page = 0; page < pages; ++page) {
    const score = byWords[page]! / largest + (byMeaning.get(page) ?? 0);
    if (score > 0 && chosen?.[page] !== 0) top.offer(places ? -places[page]! : score, page, page);
  }
  return top.ranked().map(({ slot: page, score }) => {
    const sections: RankedSection[] = [];
    const end = firstSections[page + 1] ?? words.length;
    for (let section = firstSections[page]!; section < end; ++section) {
      const near = meaning.get(section);
      const sum = words[section]! / largest + (near?.score ?? 0);
      if (sum > 0) sections.push({ section, score: sum, ...(near && { passage: near.passage }) });
    }
    sections.sort((a, b) => b.score - a.score || a.section - b.section);
    const least = minSectionShare * sections[0]!.score;
    return {
      page,
      score: places ? sections[0]!.score : score,
      sections: sections.slice(0, maxSections).filter((each) => each.score >= least),
    };
  });
}

/** A page is as good as its best section, and a little better if others have the words too. */
function pageScores(sections: Float32Array, { pageOf, pages }: Head): Float32Array {
  const best = new Float32Array(pages);
  const sums = new Float32Array(pages);
  sections.forEach((score, section) => {
    if (score === 0) return;
    const page = pageOf[section]!;
    best[page] = Math.max(best[page]!, score);
    sums[page]! += score;
  });
  return best.map((score, page) => (score > 0 ? score + otherSectionsShare * Math.sqrt(sums[page]! - score) : 0));
}

interface MeaningScores {
  sections: Map<number, { score: number; passage: number }>;
  pages: Map<number, number>;
}

/**
 * Weights of the best passages of sections and of pages: the whole weight for the nearest one of all, down to nothing
 * for the last. A page may have the best passage of each model in another section.
 */
function meaningScores(meant: readonly MeantPassages[], pageOf: Uint32Array): MeaningScores {
  const sections: MeaningScores['sections'] = new Map();
  const pages: MeaningScores['pages'] = new Map();
  for (const { passages, weight } of meant) {
    const [first, last] = [passages[0]?.cosine ?? 0, passages.at(-1)?.cosine ?? 0];
    const best = new Map<number, NearPassage>();
    const bestOfPages = new Map<number, NearPassage>();
    for (const near of passages) {
      if (!best.has(near.section)) best.set(near.section, near);
      const page = pageOf[near.section]!;
      if (!bestOfPages.has(page)) bestOfPages.set(page, near);
    }
    const scoreOf = ({ cosine }: NearPassage) => (weight * (cosine - last)) / (first - last || 1);
    for (const [section, near] of best)
      sections.set(section, { score: scoreOf(near) + (sections.get(section)?.score ?? 0), passage: near.passage });
    for (const [page, near] of bestOfPages) pages.set(page, scoreOf(near) + (pages.get(page) ?? 0));
  }
  return { sections, pages };
}
