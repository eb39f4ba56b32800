// The values of a GGUF file's head, as bytes (ggml's docs/gguf.md).
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
