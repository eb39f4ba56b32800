/** The name that was probably meant, for a message; undefined where none is close. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const completions = names.filter((name) => name.startsWith(given));
  if (given.length > 1 && completions.length === 1) return completions[0];
  const most = given.length < 4 ? 1 : 2;
  const ranked = names.map((name) => ({ name, edits: editDistance(given, name) }));
  ranked.sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= most && best.edits < given.length ? best.name : undefined;
}

/** Letters added, left out, replaced, or swapped with their neighbor. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    [before, last, row] = [last, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : Infinity;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped);
    }
  }
  return row[b.length]!;
}
