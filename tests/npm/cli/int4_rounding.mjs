// INT4 of KV caches by its definition, in doubles: for each group of values along a head scale = max|x| / 7 as a half,
// q = x / scale to the nearest integer in [-8, 7], halves to even.

/** Rounds to the nearest half-precision number, ties to even, for finite values in the range of such numbers. */
export function toHalf(x) {
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(x))));
  return x === 0 ? 0 : toEven(x / 2 ** (exponent - 10)) * 2 ** (exponent - 10);
}

function toEven(x) {
  const nearest = Math.round(x);
  return Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : nearest;
}

/** The values after the way through INT4 and back. */
export function int4Rounded(values, group) {
  const rounded = Float32Array.from(values);
  for (let begin = 0; begin < values.length; begin += group) {
    const part = rounded.subarray(begin, begin + group);
    const largest = part.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const scale = toHalf(largest === 0 ? 1e-7 : largest / 7);
    part.set(part.map((x) => Math.min(7, Math.max(-8, toEven(x / scale))) * scale));
  }
  return rounded;
}
