// The parts of GGUF files: the values of their head as bytes (ggml's docs/gguf.md), and the types of their tensors
// (ggml's ggml-common.h).
import { Buffer } from 'node:buffer';

export const MAGIC = Buffer.from('GGUF');
export const VERSION = 3;
export const ALIGNMENT = 32;

const VALUE_TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };

export const alignUp = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function number(bytes, write) {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}
export const u32 = (value) => number(4, (buffer) => buffer.writeUInt32LE(value));
export const u64 = (value) => number(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
const i32 = (value) => number(4, (buffer) => buffer.writeInt32LE(value));
const f32 = (value) => number(4, (buffer) => buffer.writeFloatLE(value));

export function string(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([u64(bytes.length), bytes]);
}

const WRITERS = {
  uint32: u32,
  int32: i32,
  float32: f32,
  bool: (value) => Buffer.from([value ? 1 : 0]),
  string,
};

/** A key with its value. */
export function pair(key, type, value) {
  return Buffer.concat([string(key), u32(VALUE_TYPE[type]), WRITERS[type](value)]);
}

/** A key with a list of values. */
export function listPair(key, type, values) {
  const head = [string(key), u32(VALUE_TYPE.array), u32(VALUE_TYPE[type]), u64(values.length)];
  return Buffer.concat([...head, ...values.map(WRITERS[type])]);
}

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

/** Blocks of `type` with values of the given root mean square. */
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
