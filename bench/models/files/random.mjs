// Seeded random numbers that are the same on every machine: only integer steps and exact float sums, no Math.log or
// Math.cos, whose last bits engines may choose.

/** Uniform in [0, 1), by xorshift32. */
export function uniform(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

// A sum of four uniforms has variance 4 / 12.
const UNIT_VARIANCE = Math.sqrt(3);

/** `count` nearly normal values. */
export function normal(next, count, { mean = 0, deviation }) {
  const values = new Float32Array(count);
  const scale = deviation * UNIT_VARIANCE;
  for (let i = 0; i < count; i++) values[i] = mean + scale * (next() + next() + next() + next() - 2);
  return values;
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
