// Marsaglia's xorshift (2003): fast enough for half a gigabyte of weights.

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
