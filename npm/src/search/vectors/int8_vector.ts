// Vectors in 8 bits: value = q * scale, q in [-127, 127].

// Adding it leaves a double no bits for fractions: it rounds to an integer, ties to even.
const roundingOffset = 1.5 * 2 ** 52;

const leastNormal = 2 ** -126;
const leastFloat = 2 ** -149;

/** Quantizes into `q`. Returns the scale, which is 0 for a vector of zeros. */
export function quantizeInt8(vector: Float32Array, q: Int8Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; ++i) {
    const size = Math.abs(vector[i]!);
    if (size > largest) largest = size;
  }
  const scale = scaleOf(largest / 127);
  if (scale === 0) {
    q.fill(0);
    return 0;
  }
  for (let i = 0; i < vector.length; ++i) {
    const rounded = vector[i]! / scale + roundingOffset - roundingOffset;
    q[i] = rounded > 127 ? 127 : rounded < -127 ? -127 : rounded;
  }
  return scale;
}

/**
 * Subnormal floats have few bits: rounding such a scale down would cut the largest values by up to a third, or make it
 * 0.
 */
const scaleOf = (quotient: number): number =>
  quotient < leastNormal ? Math.ceil(quotient / leastFloat) * leastFloat : Math.fround(quotient);

/** One bit per value, 1 where it is above 0; bit `i % 8` of byte `i / 8`. */
export function signBits(q: Int8Array, bits: Uint8Array): void {
  bits.fill(0);
  for (let i = 0; i < q.length; ++i) if (q[i]! > 0) bits[i >> 3]! |= 1 << (i & 7);
}
