// What quintet is to reach, in one thread.

const atLeast = (value) => ({ text: `>= ${value}`, isMet: (measured) => measured >= value });
const atMost = (value) => ({ text: `<= ${value}`, isMet: (measured) => measured <= value });

export const TARGETS = {
  'TinyLlama-1.1B': {
    relaxed: {
      tokensPerSecond: { prefill: atLeast(60), decode: atLeast(20) },
      speedup: { prefill: atLeast(4), decode: atLeast(4) },
    },
    baseline: { speedup: { decode: atLeast(1.5) } },
  },
  'stories-15M': {
    relaxed: { speedup: { prefill: atLeast(3), decode: atLeast(3) } },
    baseline: {},
  },
  /** Every shape that is not above. */
  others: {
    relaxed: { speedup: { prefill: atLeast(5), decode: atLeast(5) } },
    baseline: {},
  },
  /** Tokens per second of a text that is kept to a grammar, beside wllama 3. */
  formSpeedup: atLeast(5),
  /** Largest difference of logarithms of probabilities to llama.cpp's, which rounds activations as well. */
  likelihood: atMost(0.1),
  /** Beyond 1.1 times the weights and the KV cache, in MB. */
  megabytesBeyond: atMost(32),
  /** Saving a KV cache in float32, and loading it: milliseconds each. */
  cacheMilliseconds: atMost(150),
  /** Bytes that differ between a cache and what was restored from its file. */
  cacheDifference: atMost(0),
};
