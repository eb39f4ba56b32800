// Vectors in a few bits a value: 1, 2, 4 or 8. A code c stands for c - (2^bits - 1) / 2, in units that are the same for
// all values of a vector, so its direction follows from the codes alone.

export const codeBytes = (dimension: number, bits: number): number => Math.ceil((dimension * bits) / 8);

/** Parts of the largest value that the largest code stands for: less than all makes the small values exact. */
const clips = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];

/** The codes of a vector, lowest bits of a byte first: those with the smallest angle to it. */
export function encode(vector: ArrayLike<number>, bits: number): Uint8Array {
  let largest = 0;
  for (let i = 0; i < vector.length; ++i) largest = Math.max(largest, Math.abs(vector[i]!));
  const most = 2 ** bits - 1;
  let best = new Uint8Array(vector.length);
  let codes = new Uint8Array(vector.length);
  let bestCosine = -Infinity;
  for (const clip of bits === 1 || bits === 8 ? [1] : clips) {
    const cosine = fillCodes(vector, clip * largest, most, codes);
    if (cosine > bestCosine) {
      bestCosine = cosine;
      [best, codes] = [codes, best];
      // With many codes the angle only grows from the first clip on that is too small; with few it goes up and down.
    } else if (bits > 2) break;
  }
  return packed(best, bits);
}

/** Codes from 0 to `most`, which stands for `largest`. Returns their cosine with the vector, times its length. */
function fillCodes(vector: ArrayLike<number>, largest: number, most: number, codes: Uint8Array): number {
  const half = most / 2;
  const perUnit = largest > 0 ? half / largest : 1;
  let product = 0;
  let square = 0;
  for (let i = 0; i < codes.length; ++i) {
    const value = vector[i]!;
    const rounded = (value * perUnit + half + 0.5) | 0;
    const code = rounded < 0 ? 0 : rounded > most ? most : rounded;
    codes[i] = code;
    const centered = code - half;
    product += centered * value;
    square += centered * centered;
  }
  return product / Math.sqrt(square);
}

function packed(codes: Uint8Array, bits: number): Uint8Array {
  const bytes = new Uint8Array(codeBytes(codes.length, bits));
  for (let at = 0, i = 0; at < bytes.length; ++at) {
    for (let shift = 0; shift < 8 && i < codes.length; shift += bits) bytes[at]! |= codes[i++]! << shift;
  }
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
