// Vectors in 8 bits: value = q * scale, q in [-127, 127].

/** Quantizes into `q`; gives the scale, which is 0 for a vector of zeros. */
export function quantizeInt8(vector: Float32Array, q: Int8Array): number {
  let largest = 0;
  for (const x of vector) largest = Math.max(largest, Math.abs(x));
  const scale = Math.fround(largest / 127);
  for (let i = 0; i < vector.length; ++i) {
    q[i] = scale === 0 ? 0 : Math.max(-127, Math.min(127, roundHalfEven(vector[i]! / scale)));
  }
  return scale;
}

function roundHalfEven(x: number): number {
  const rounded = Math.round(x);
  return rounded - x === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** One bit per value, 1 where it is above 0; bit `i % 8` of byte `i / 8`. */
export function signBits(q: Int8Array, bits: Uint8Array): void {
  bits.fill(0);
  for (let i = 0; i < q.length; ++i) if (q[i]! > 0) bits[i >> 3]! |= 1 << (i & 7);
}
