// Random weights around zero from a fixed seed, as bytes that go round and round.
import { Buffer } from 'node:buffer';

const POOL = 1048573;

/** { f32, f16 }: buffers of POOL values each. */
export function seededPools() {
  const f32 = new Float32Array(POOL);
  let state = 1;
  for (let i = 0; i < POOL; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    f32[i] = (state / 2 ** 32 - 0.5) * 0.08;
  }
  return { f32: bytesOf(f32), f16: bytesOf(Uint16Array.from(f32, halfOf)) };
}

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

// Cut off, not rounded; what lies below the smallest normal half becomes zero.
function halfOf(value) {
  float[0] = value;
  const sign = (bits[0] >>> 16) & 0x8000;
  const exponent = ((bits[0] >>> 23) & 0xff) - 112;
  return exponent <= 0 ? sign : sign | (exponent << 10) | ((bits[0] >>> 13) & 0x3ff);
}
