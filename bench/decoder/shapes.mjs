// The models that are measured: a real shape, one so small that all that is not arithmetic shows, and one with the mixture of
// types that most downloads have.

/** Llama's architecture with all matrices of one type. quintet converts the file to its own format. */
const LLAMA = {
  architecture: 'llama',
  normEpsilon: 1e-5,
  ropeBase: 10_000,
  attentionBias: false,
  tokenizer: 'llama',
  mixture: 'Q4_0',
  convert: { to: 'amb', quantize: 'int4block', groupSize: 32 },
};

/** Qwen2.5's. `mixture` is a preset of llama.cpp's quantizer; quintet loads the GGUF file as it is. */
const QWEN2 = {
  architecture: 'qwen2',
  normEpsilon: 1e-6,
  ropeBase: 1_000_000,
  attentionBias: true,
  tokenizer: 'qwen2',
  mixture: 'Q4_K_M',
};

export const SHAPES = {
  'TinyLlama-1.1B': {
    ...LLAMA,
    layers: 22,
    width: 2048,
    heads: 32,
    kvHeads: 4,
    feedForward: 5632,
    vocabulary: 32000,
    tied: false,
  },
  'stories-15M': {
    ...LLAMA,
    layers: 6,
    width: 288,
    heads: 6,
    kvHeads: 6,
    feedForward: 768,
    vocabulary: 32000,
    tied: true,
  },
  'qwen2.5-0.5b': {
    ...QWEN2,
    layers: 24,
    width: 896,
    heads: 14,
    kvHeads: 2,
    feedForward: 4864,
    vocabulary: 151_936,
    tied: true,
  },
};

export const CONTEXT_LENGTH = 512;

/** A KV cache of TinyLlama's, in a model that is small otherwise: it reads 2048 tokens in seconds. */
export const CACHE_MODEL = 'TinyLlama-KV';
export const CACHE_TOKENS = 2048;
const CACHE_SHAPE = {
  ...LLAMA,
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
