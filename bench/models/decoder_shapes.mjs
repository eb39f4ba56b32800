// The models that are measured: a real shape, one so small that all that is not arithmetic shows, those that people
// download most, in the two mixtures of types in which they do, and those whose layers have other parts: a gated
// DeltaNet, experts, Mamba-2.

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

/** Llama 3.2's and SmolLM2's; quintet loads the GGUF files of these and of those below. */
const LLAMA3 = {
  ...LLAMA,
  ropeBase: 500_000,
  tokenizer: 'llama-bpe',
  mixture: 'Q4_K_M',
  convert: undefined,
  tied: true,
};
const QWEN3 = { ...QWEN2, architecture: 'qwen3', attentionBias: false, normedHeads: true, tied: true };
const GEMMA3 = {
  ...QWEN3,
  architecture: 'gemma3',
  tokenizer: 'llama',
  normedBranches: true,
  window: 512,
  heads: 4,
  kvHeads: 1,
  headDim: 256,
  vocabulary: 262_144,
};

/**
 * Granite's, with the scales that it has for the branches of a layer. With those of its embeddings and logits, a model
 * of random weights would repeat one token.
 */
const GRANITE = { normEpsilon: 1e-6, ropeBase: 10_000, mixture: 'Q4_K_M', tied: true };
const graniteScales = (residual) => ({
  embedding_scale: 1,
  residual_scale: residual,
  'attention.scale': 1 / 64,
  logit_scale: 1,
});

const listOf = (length, item) => Array.from({ length }, (_, i) => item(i));

/** A shape in both mixtures. */
const inBoth = (name, shape) => ({ [name]: shape, [`${name}-q8`]: { ...shape, mixture: 'Q8_0' } });

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
  ...inBoth('gemma-3-270m', { ...GEMMA3, layers: 18, width: 640, feedForward: 2048 }),
  ...inBoth('gemma-3-1b', { ...GEMMA3, layers: 26, width: 1152, feedForward: 6912 }),
  ...inBoth('smollm2-360m', {
    ...LLAMA3,
    tokenizer: 'smollm',
    layers: 32,
    width: 960,
    heads: 15,
    kvHeads: 5,
    feedForward: 2560,
    vocabulary: 49_152,
  }),
  ...inBoth('qwen3-0.6b', {
    ...QWEN3,
    layers: 28,
    width: 1024,
    heads: 16,
    kvHeads: 8,
    headDim: 128,
    feedForward: 3072,
    vocabulary: 151_936,
  }),
  ...inBoth('llama-3.2-1b', {
    ...LLAMA3,
    layers: 16,
    width: 2048,
    heads: 32,
    kvHeads: 8,
    feedForward: 8192,
    vocabulary: 128_256,
  }),
  // In networks of random weights, rounding errors grow from layer to layer, most of all in those with a state.
  // `branchGain` makes what a layer adds so small that answers can still be compared.
  'qwen3.5-0.8b': {
    ...QWEN3,
    architecture: 'qwen35',
    tokenizer: 'qwen35',
    ropeBase: 10_000_000,
    rotated: 64,
    positionSections: [11, 11, 10, 0],
    mlpNorm: 'post_attention_norm',
    gatedHeads: true,
    branchGain: 1 / 20,
    mixers: ['deltaNet', 'deltaNet', 'deltaNet', 'attention'],
    deltaNet: { heads: 16, headDim: 128, kernel: 4 },
    layers: 24,
    width: 1024,
    heads: 8,
    kvHeads: 2,
    headDim: 256,
    feedForward: 3584,
    vocabulary: 248_320,
  },
  'granite-3-1b-a400m': {
    ...GRANITE,
    architecture: 'granitemoe',
    tokenizer: 'refact',
    scales: graniteScales(0.22),
    experts: { count: 32, used: 8 },
    layers: 24,
    width: 1024,
    heads: 16,
    kvHeads: 8,
    feedForward: 512,
    vocabulary: 49_155,
  },
  'granite-4-350m-h': {
    ...GRANITE,
    architecture: 'granitehybrid',
    tokenizer: 'dbrx',
    normEpsilon: 1e-5,
    scales: graniteScales(0.246),
    mixers: listOf(32, (layer) => ([10, 13, 17, 27].includes(layer) ? 'attention' : 'mamba')),
    branchGain: 1 / 10,
    mamba: { heads: 48, headDim: 32, state: 128, kernel: 4 },
    layers: 32,
    width: 768,
    heads: 12,
    kvHeads: 4,
    feedForward: 2048,
    vocabulary: 100_352,
  },
};

export const headDimOf = ({ width, heads, headDim = width / heads }) => headDim;

/** The mixer of tokens in a layer; `mixers` are repeated. */
export const mixerOf = ({ mixers = ['attention'] }, layer) => mixers[layer % mixers.length];

/** The numbers of the layers that have one of some mixers. */
export const layersWith = (mixers, shape) => {
  return listOf(shape.layers, (layer) => layer).filter((layer) => mixers.includes(mixerOf(shape, layer)));
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

/** Llama 3.2 3B, which `npm run bench -- load` loads: files of 2 to 3.4 GB. */
const LLAMA_3B = {
  ...LLAMA3,
  layers: 28,
  width: 3072,
  heads: 24,
  kvHeads: 8,
  feedForward: 8192,
  vocabulary: 128_256,
};
export const LARGE_SHAPES = Object.fromEntries(
  ['Q4_K_M', 'Q6_K', 'Q8_0'].map((mixture) => [`llama-3.2-3b-${mixture}`, { ...LLAMA_3B, mixture }]),
);

/** All shapes of models. */
export const MODELS = { ...SHAPES, [CACHE_MODEL]: CACHE_SHAPE, ...LARGE_SHAPES };
