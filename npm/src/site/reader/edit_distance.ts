// The number of edits between words: characters added, left out, replaced, or two neighbors in the other order (optimal
// string alignment, a restricted Damerau-Levenshtein distance).

/** The distance, or `max + 1` if it is larger than `max`. */
export function editDistance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1;
  let earlier: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; ++i) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; ++j) {
      const isSame = one[i - 1] === other[j - 1];
      let edits = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        edits = Math.min(edits, earlier[j - 2]! + 1);
      }
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > max) return max + 1;
    [earlier, before] = [before, row];
  }
  return Math.min(before[other.length]!, max + 1);
}
