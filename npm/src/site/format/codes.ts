// Vectors in a few bits a value: 1, 2, 4 or 8. A code c stands for c - (2^bits - 1) / 2, in units that are the same for all values of a
// vector, so its direction follows from the codes alone.

export const codeBytes = (dimension: number, bits: number): number => Math.ceil((dimension * bits) / 8);

/** Parts of the largest value that the largest code stands for: less than all makes the small values exact. */
const clips = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];

/** The codes of a vector, lowest bits of a byte first: those with the smallest angle to it. */
export function encode(vector: ArrayLike<number>, bits: number): Uint8Array {
  let largest = 0;
  for (let i = 0; i < vector.length; ++i) largest = Math.max(largest, Math.abs(vector[i]!));
  const half = (2 ** bits - 1) / 2;
  let best = new Uint8Array(vector.length);
  let bestCosine = -Infinity;
  for (const clip of bits === 1 || bits === 8 ? [1] : clips) {
    const unit = (clip * largest) / half || 1;
    const codes = new Uint8Array(vector.length);
    let [product, square] = [0, 0];
    for (let i = 0; i < vector.length; ++i) {
      const code = Math.min(2 * half, Math.max(0, Math.round(vector[i]! / unit + half)));
      codes[i] = code;
      product += (code - half) * vector[i]!;
      square += (code - half) ** 2;
    }
    const cosine = product / Math.sqrt(square);
    if (cosine > bestCosine) [best, bestCosine] = [codes, cosine];
  }
  return packed(best, bits);
}

function packed(codes: Uint8Array, bits: number): Uint8Array {
  const bytes = new Uint8Array(codeBytes(codes.length, bits));
  const perByte = 8 / bits;
  codes.forEach((code, i) => {
    bytes[Math.floor(i / perByte)]! |= code << (bits * (i % perByte));
  });
  return bytes;
}

/** The vectors of length one that codes stand for, one after another. */
export function decode(bytes: Uint8Array, count: number, dimension: number, bits: number): Float32Array {
  const vectors = new Float32Array(count * dimension);
  const half = (2 ** bits - 1) / 2;
  const mask = 2 ** bits - 1;
  const perByte = 8 / bits;
  const rowBytes = codeBytes(dimension, bits);
  for (let row = 0; row < count; ++row) {
    const first = row * dimension;
    let square = 0;
    for (let i = 0; i < dimension; ++i) {
      const byte = bytes[row * rowBytes + Math.floor(i / perByte)]!;
      const value = ((byte >> (bits * (i % perByte))) & mask) - half;
      vectors[first + i] = value;
      square += value * value;
    }
    const scale = 1 / Math.sqrt(square);
    for (let i = 0; i < dimension; ++i) vectors[first + i]! *= scale;
  }
  return vectors;
}

/** Lengths of vectors in a byte: 16 steps for a factor of two, from 2^-8 on; 0 is none. */
export function lengthCode(length: number): number {
  return length > 0 ? Math.min(255, Math.max(1, Math.round(16 * Math.log2(length) + 128))) : 0;
}

export const lengthOf = (code: number): number => (code === 0 ? 0 : 2 ** ((code - 128) / 16));
