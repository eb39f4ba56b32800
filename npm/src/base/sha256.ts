// SHA-256 of a stream, for the option `integrity`: WebCrypto can only hash whole buffers.

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

export class Sha256 {
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
    let [a, b, c, d, e, f, g, h] = this.state as unknown as [
      number, number, number, number, number, number, number, number,
    ];
    for (let i = 0; i < 64; ++i) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i]! + w[i]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (this.state[i] = (this.state[i]! + word) | 0));
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
