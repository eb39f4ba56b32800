// The parameters of ranking, all of them.

/**
 * BM25 of a section's text (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009). The writer applies
 * both.
 */
export const k1 = 1.2;
export const b = 0.75;

/**
 * Weights of the fields of a section, relative to its text: its title if that is the term alone, and the titles above
 * it.
 */
export const titleWeight = 3;
export const trailWeight = 1;
/** The share of the title that a term is, to this power. */
export const titleShareExponent = 0.5;

/**
 * The share of the query's weight that a section has, to this power, multiplies its score: sections with all words
 * first.
 */
export const coverageExponent = 1;
/** Factor for the score of a section whose title is the query. */
export const wholeTitleBonus = 1.5;

/** Weights of terms that stand for a word of the query. */
export const partWeight = 0.4;
export const nameWeight = 1;
export const completionWeight = 0.4;
export const editWeights = [1, 0.7, 0.4] as const;

/** Weight of the other sections of a page, added to its best one. */
export const otherSectionsShare = 0.1;
/** Sections of a page that are shown, and the share of the best one's score that they need. */
export const maxSections = 3;
export const minSectionShare = 0.4;

/** Terms that begin with the last word, at most. */
export const maxCompletions = 12;

/**
 * Sections that a term lists at most, those that it matters most for: this many, or this share of all, and never more
 * than `most`.
 */
export const listedSections = { least: 256, share: 0.25, most: 4096 };

/** Weight of the titles above a passage in its vector. The writer applies it. */
export const titleVectorWeight = 3;
/**
 * Clusters of passages that a query looks into. On the three sites of `npm run bench -- site`, 20 find no more answers,
 * and 10 fewer.
 */
export const probes = 14;
/** Nearest passages that count. */
export const nearest = 200;
/** Weight of the meaning relative to the words, where the best page has 1. */
export const meaningWeight = 0.7;
/** Weight of passages found by the vectors of an embedder. */
export const embedderWeight = 0.4;
/** Bonus of a section with the words of the query side by side, on the same scale. */
export const phraseBonus = 0.2;
/** For the excerpt: weight of the passage nearest in meaning, relative to the words of others. */
export const nearPassageWeight = 2;
