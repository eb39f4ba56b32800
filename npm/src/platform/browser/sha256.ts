// SHA-256 of a stream in browsers, for the option `integrity`: WebCrypto can only hash whole buffers.

import type { StreamHash } from '../stream_hash.js';

const primes = firstPrimes(64);
const roundConstants = Int32Array.from(primes, (p) => fractionBits(Math.cbrt(p)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; ++n) if (found.every((p) => n % p)) found.push(n);
  return found;
}

/** The first 32 bits of the fraction. A double is precise enough for these roots. */
function fractionBits(x: number): number {
  return ((x - Math.floor(x)) * 2 ** 32) | 0;
}

export class Sha256 implements StreamHash {
  private readonly state = Int32Array.from(primes.slice(0, 8), (p) => fractionBits(Math.sqrt(p)));
  private readonly block = new Uint8Array(64);
  private readonly schedule = new Int32Array(64);
  private length = 0;

  update(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      const used = this.length % 64;
      const taken = Math.min(64 - used, bytes.length - at);
      if (taken === 64) {
        this.compress(bytes, at);
      } else {
        this.block.set(bytes.subarray(at, at + taken), used);
        if (used + taken === 64) this.compress(this.block, 0);
      }
      at += taken;
      this.length += taken;
    }
  }

  /** The digest in base64. The object cannot be used afterwards. */
  digest(): string {
    const bits = BigInt(this.length) * 8n;
    const padding = new Uint8Array(((119 - (this.length % 64)) % 64) + 1);
    padding[0] = 0x80;
    this.update(padding);
    const end = new Uint8Array(8);
    new DataView(end.buffer).setBigUint64(0, bits);
    this.update(end);
    const digest = new DataView(new ArrayBuffer(32));
    this.state.forEach((word, i) => digest.setInt32(4 * i, word));
    return btoa(String.fromCharCode(...new Uint8Array(digest.buffer)));
  }

  private compress(bytes: Uint8Array, at: number): void {
    const w = this.schedule;
    for (let i = 0; i < 16; ++i, at += 4) {
      w[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    }
    for (let i = 16; i < 64; ++i) {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
    }
    const state = this.state;
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let f = state[5]!;
    let g = state[6]!;
    let h = state[7]!;
    for (let i = 0; i < 64; ++i) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i]! + w[i]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      // One by one: a pattern would make an array in every round.
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
