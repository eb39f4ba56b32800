// The models that are measured: a real shape, and one so small that all that is not arithmetic shows.
export const SHAPES = {
  'TinyLlama-1.1B': {
    layers: 22,
    width: 2048,
    heads: 32,
    kvHeads: 4,
    feedForward: 5632,
    vocabulary: 32000,
    tied: false,
  },
  'stories-15M': {
    layers: 6,
    width: 288,
    heads: 6,
    kvHeads: 6,
    feedForward: 768,
    vocabulary: 32000,
    tied: true,
  },
};

export const CONTEXT_LENGTH = 512;

/** A KV cache of TinyLlama's, in a model that is small otherwise: it reads 2048 tokens in seconds. */
export const CACHE_MODEL = 'TinyLlama-KV';
export const CACHE_TOKENS = 2048;
const CACHE_SHAPE = {
  layers: 22,
  width: 256,
  heads: 4,
  kvHeads: 4,
  feedForward: 256,
  vocabulary: 1024,
  tied: true,
  contextLength: CACHE_TOKENS + 64,
};

/** All that models are made of. */
export const MODELS = { ...SHAPES, [CACHE_MODEL]: CACHE_SHAPE };

/** Multiplications of weights that one token takes, those of the output matrix included. */
export function multiplicationsPerToken({ layers, width, heads, kvHeads, feedForward, vocabulary }) {
  const kvWidth = (width / heads) * kvHeads;
  const layer = 2 * width * width + 2 * width * kvWidth + 3 * width * feedForward;
  return layers * layer + vocabulary * width;
}

/** Bytes of weights that one token of decoding reads: 4 bits, and a scale of 16 bits for every 32. */
export const weightBytesPerToken = (shape) => multiplicationsPerToken(shape) * (4.5 / 8);
