// As much of protobuf's wire format as an ONNX model needs. A message is a list of byte arrays that is only joined
// when it is written: weights of many megabytes are never copied.
import { Buffer } from 'node:buffer';

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

export function varintField(number, value) {
  return [tag(number, VARINT), varint(value)];
}

export function floatField(number, value) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return [tag(number, FIXED32), bytes];
}

export function stringField(number, text) {
  return bytesField(number, Buffer.from(text, 'utf8'));
}

export function bytesField(number, bytes) {
  return messageField(number, [bytes]);
}

/** A message inside a message; `parts` may be nested lists. */
export function messageField(number, parts) {
  const flat = parts.flat(Infinity);
  const length = flat.reduce((sum, bytes) => sum + bytes.byteLength, 0);
  return [tag(number, LENGTH_DELIMITED), varint(length), ...flat];
}

function tag(number, wireType) {
  return varint((number << 3) | wireType);
}

function varint(value) {
  const bytes = [];
  // Negative numbers take their 64-bit two's complement.
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
