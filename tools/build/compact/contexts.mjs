// Counts how often each symbol comes after those before it, which estimates what a compressor needs for it.

const tableBits = 22;
/** Symbols of context. */
export const order = 2;
/** For each number of symbols before: how many occurrences the estimate from one symbol less counts as. */
const weights = [1, 4, 1];

const mixed = (hash, symbol) => Math.imul(Math.imul(hash, 0x9e3779b1) ^ (hash >>> 15) ^ symbol, 0x85ebca6b);
const place = (hash) => hash >>> (32 - tableBits);

/** Sequences of symbols, which begin with `order` of anything. Where two contexts share a place, the estimate is off. */
export class Contexts {
  /** By the number of symbols before. */
  #contexts = weights.map(() => new Uint32Array(1 << tableBits));
  #symbols = weights.map(() => new Uint32Array(1 << tableBits));

  /** Counts a sequence, or forgets it if `times` is -1. */
  count(symbols, times) {
    for (let at = order; at < symbols.length; ++at) {
      for (let before = 0, hash = 0; before <= order; ++before) {
        if (before > 0) hash = mixed(hash + before, symbols[at - before]);
        this.#contexts[before][place(hash)] += times;
        this.#symbols[before][place(mixed(hash - 1, symbols[at]))] += times;
      }
    }
  }

  /** In bits, for the symbol at a place of a sequence. */
  cost(symbols, at) {
    let probability = 1 / 2 ** 14;
    for (let before = 0, hash = 0; before <= order; ++before) {
      if (before > 0) hash = mixed(hash + before, symbols[at - before]);
      const weight = weights[before];
      probability =
        (this.#symbols[before][place(mixed(hash - 1, symbols[at]))] + weight * probability) /
        (this.#contexts[before][place(hash)] + weight);
    }
    return -Math.log2(probability);
  }
}
