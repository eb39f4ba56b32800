// The types of the tensors in the GGUF files (ggml's ggml-common.h), and how random bytes become blocks of them: all
// bits of a block may be random but for its scales.
import { Buffer } from 'node:buffer';

/**
 * `spread`: root mean square of the values of a block whose scale is 1.
 * `halves`: the float16 numbers of a block, [offset, multiple of the scale].
 * `groups`: bytes that hold the scales of groups, from `begin` to `end`: `high`, and four random bits.
 */
export const BLOCK_TYPES = {
  F32: { number: 0, values: 1, bytes: 4 },
  Q4_0: { number: 2, values: 32, bytes: 18, spread: 4.6, halves: [[0, 1]] },
  Q5_0: { number: 6, values: 32, bytes: 22, spread: 9.2, halves: [[0, 1]] },
  Q8_0: { number: 8, values: 32, bytes: 34, spread: 74, halves: [[0, 1]] },
  // Scales and offsets of 32 to 47. The offset takes 7.5 off each value, the mean of four bits.
  Q4_K: {
    number: 12,
    values: 256,
    bytes: 144,
    spread: 190,
    halves: [
      [0, 1],
      [2, 7.5],
    ],
    groups: { begin: 4, end: 12, high: 0xa0 },
  },
  // Scales of 32 to 47.
  Q6_K: {
    number: 14,
    values: 256,
    bytes: 210,
    spread: 735,
    halves: [[208, 1]],
    groups: { begin: 192, end: 208, high: 0x20 },
  },
};

export function bytesOf({ dimensions, type }) {
  const { values, bytes } = BLOCK_TYPES[type];
  return (dimensions.reduce((product, size) => product * size, 1) / values) * bytes;
}

/** Blocks of `type` whose values have the given root mean square. */
export function randomBlocks(tensor, deviation, random) {
  const { bytes, spread, halves, groups } = BLOCK_TYPES[tensor.type];
  const data = Buffer.alloc(bytesOf(tensor));
  random.fill(data);
  const numbers = halves.map(([offset, multiple]) => ({ offset, half: halfOf((multiple * deviation) / spread) }));
  for (let block = 0; block < data.length; block += bytes) {
    // Scales differ a little, so that one in the wrong place shows.
    for (const { offset, half } of numbers) data.writeUInt16LE(half + (data[block + offset] & 15), block + offset);
    if (!groups) continue;
    for (let at = block + groups.begin; at < block + groups.end; at++) data[at] = groups.high | (data[at] & 15);
  }
  return data;
}

const LEAST_NORMAL = 2 ** -14;
const SUBNORMAL_STEP = 2 ** -24;

/** The bits of a positive number as a float16. */
function halfOf(value) {
  if (value < LEAST_NORMAL) return Math.round(value / SUBNORMAL_STEP);
  const [bits] = new Uint32Array(new Float32Array([value]).buffer);
  return (((bits >>> 23) - 112) << 10) | ((bits >>> 13) & 0x3ff);
}

/** Marsaglia's xorshift (2003): fast enough for half a gigabyte of weights. */
export class RandomBytes {
  #state = 0x9e3779b9;

  fill(buffer) {
    const words = new Uint32Array(buffer.buffer, buffer.byteOffset, buffer.length >> 2);
    let state = this.#state;
    for (let i = 0; i < words.length; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      words[i] = state;
    }
    this.#state = state;
  }
}
