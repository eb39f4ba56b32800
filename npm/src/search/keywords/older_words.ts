// The words of files that do not say which rules they follow: those before rules 2.

import { mostCounted, type KeywordRows } from './keyword_rows.js';
import { wordsOf } from './words.js';

/**
 * Folds words as those of queries are now; some become one, some are no words any more. What was split then stays so: the texts are not
 * there.
 */
export function refolded({ vocabulary, lengths, sizes, words, counts }: KeywordRows): KeywordRows {
  const numbers = new Map<string, number>();
  // Folding a word again gives one at most. Files that are not ours may have others: as many words as before, not more.
  const renumbered = vocabulary.map((word) => {
    const [fresh] = wordsOf(word);
    if (fresh !== undefined && !numbers.has(fresh)) numbers.set(fresh, numbers.size);
    return fresh === undefined ? undefined : numbers.get(fresh)!;
  });
  const rows = { lengths: lengths.slice(), sizes: new Uint32Array(sizes.length), words: words.slice(), counts: counts.slice() };
  let from = 0;
  let to = 0;
  sizes.forEach((size, entry) => {
    const counted = new Map<number, number>();
    for (const end = from + size; from < end; ++from) {
      const number = renumbered[words[from]!];
      const count = counts[from]!;
      if (number === undefined) rows.lengths[entry]! -= count;
      else counted.set(number, (counted.get(number) ?? 0) + count);
    }
    rows.sizes[entry] = counted.size;
    for (const [number, count] of counted) {
      rows.words[to] = number;
      rows.counts[to++] = Math.min(count, mostCounted);
    }
  });
  return { ...rows, vocabulary: [...numbers.keys()], words: rows.words.subarray(0, to), counts: rows.counts.subarray(0, to) };
}
