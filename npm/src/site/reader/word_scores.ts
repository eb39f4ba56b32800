// Scores the sections by the words of a query: BM25F with the fields of format/postings.ts.

import { isInTrail, levelIn, saturations, titleIn, titleShares } from '../format/postings.js';
import type { QueryTerm } from './query_terms.js';
import { coverageExponent, titleShareExponent, titleWeight, trailWeight, wholeTitleBonus } from './ranking.js';

const titleScores = titleShares.map((share, code) => (code === 0 ? 0 : titleWeight * share ** titleShareExponent));

/** A posting's score, by its byte. */
const fieldScores = Float32Array.from(
  { length: 256 },
  (_, posting) =>
    saturations[levelIn(posting)]! + titleScores[titleIn(posting)]! + (isInTrail(posting) ? trailWeight : 0),
);

/** The rarity of a term (Robertson and Sparck Jones, as Lucene has it: never negative). */
export const rarity = (frequency: number, sections: number): number =>
  Math.log(1 + (sections - frequency + 0.5) / (frequency + 0.5));

/** Scores of all sections, 0 for those without any word of the query. */
export function scoreWords(terms: readonly QueryTerm[], sections: number): Float32Array {
  const scores = new Float32Array(sections);
  const covered = new Float32Array(sections);
  const titled = new Float32Array(sections);
  const shares = new Float32Array(sections);
  let total = 0;
  for (const term of terms) {
    const best = bestOf(term, sections);
    total += best.rarity;
    for (const [section, { score, posting, weight }] of best.sections) {
      scores[section]! += score;
      covered[section]! += weight;
      if (titleIn(posting) > 0) {
        titled[section]! += weight;
        shares[section]! += titleShares[titleIn(posting)]!;
      }
    }
  }
  for (let section = 0; section < sections; ++section) {
    if (scores[section] === 0) continue;
    scores[section]! *= (covered[section]! / total) ** coverageExponent;
    if (shares[section]! > 0.9 && titled[section]! > 0.9 * total) scores[section]! *= wholeTitleBonus;
  }
  return scores;
}

interface Best {
  score: number;
  posting: number;
  /** Its part of the query's whole weight. */
  weight: number;
}

/** Only the best alternative for a word counts in a section. */
function bestOf({ variants }: QueryTerm, count: number): { rarity: number; sections: Map<number, Best> } {
  const sections = new Map<number, Best>();
  let most = 0;
  for (const { entry, weight } of variants) {
    const rare = rarity(entry.frequency, count);
    most = Math.max(most, weight * rare);
    entry.sections.forEach((section, i) => {
      const posting = entry.postings[i]!;
      const score = weight * rare * fieldScores[posting]!;
      const known = sections.get(section);
      if (!known || known.score < score) sections.set(section, { score, posting, weight: weight * rare });
    });
  }
  for (const best of sections.values()) best.weight = Math.min(best.weight, most);
  return { rarity: most, sections };
}
