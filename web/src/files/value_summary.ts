export interface ValueSummary {
  least: number;
  greatest: number;
  mean: number;
  /** The number of values that are infinite or not a number. The other figures leave them out. */
  notFinite: number;
}

/** About a millisecond of work. */
const slice = 1 << 20;

/** Looks at a slice at a time, so that the page stays responsive. NaN where there is no finite value. */
export async function summarize(values: Float32Array, signal: AbortSignal): Promise<ValueSummary> {
  let [least, greatest, sum, finite] = [Infinity, -Infinity, 0, 0];
  for (let begin = 0; begin < values.length; begin += slice) {
    if (begin > 0) await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    for (const value of values.subarray(begin, begin + slice)) {
      if (!Number.isFinite(value)) continue;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      sum += value;
      finite++;
    }
  }
  const notFinite = values.length - finite;
  return finite > 0
    ? { least, greatest, mean: sum / finite, notFinite }
    : { least: NaN, greatest: NaN, mean: NaN, notFinite };
}
