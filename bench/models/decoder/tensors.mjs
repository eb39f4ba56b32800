// The tensors of a decoder as its GGUF file has them.
import { headDimOf } from '../decoder_shapes.mjs';
import { BLOCK_TYPES, bytesOf } from './block_types.mjs';

/** { name, dimensions, type } of each, in the order of the file; `dimensions` as there: columns first. */
export function tensorsOf(shape) {
  const { layers, width, heads, kvHeads, feedForward, vocabulary, tied, attentionBias, mixture } = shape;
  const { normedHeads = false, normedBranches = false } = shape;
  const headDim = headDimOf(shape);
  const [queryWidth, kvWidth] = [headDim * heads, headDim * kvHeads];
  const typeOf = MIXTURES[mixture];
  const vector = (name, length) => ({ name, dimensions: [length], type: 'F32' });
  const blocks = (number) => {
    const name = (part) => `blk.${number}.${part}`;
    const norm = (part, length = width) => vector(name(`${part}.weight`), length);
    const only = (isThere, tensor) => (isThere ? [tensor] : []);
    const matrix = (part, columns, rows) => ({
      name: name(`${part}.weight`),
      dimensions: [columns, rows],
      type: typeOf({ part, columns, moreBits: usesMoreBits(number, layers) }),
    });
    const bias = (part, rows) => (attentionBias ? [vector(name(`${part}.bias`), rows)] : []);
    return [
      norm('attn_norm'),
      matrix('attn_q', width, queryWidth),
      ...bias('attn_q', queryWidth),
      matrix('attn_k', width, kvWidth),
      ...bias('attn_k', kvWidth),
      matrix('attn_v', width, kvWidth),
      ...bias('attn_v', kvWidth),
      ...only(normedHeads, norm('attn_q_norm', headDim)),
      ...only(normedHeads, norm('attn_k_norm', headDim)),
      matrix('attn_output', queryWidth, width),
      ...only(normedBranches, norm('post_attention_norm')),
      norm('ffn_norm'),
      matrix('ffn_gate', width, feedForward),
      matrix('ffn_up', width, feedForward),
      matrix('ffn_down', feedForward, width),
      ...only(normedBranches, norm('post_ffw_norm')),
    ];
  };
  const table = (part) => ({
    name: `${part}.weight`,
    dimensions: [width, vocabulary],
    type: typeOf({ part: tied ? 'output' : part, columns: width }),
  });
  return [
    table('token_embd'),
    ...Array.from({ length: layers }, (_, number) => blocks(number)).flat(),
    vector('output_norm.weight', width),
    ...(tied ? [] : [table('output')]),
  ];
}

/** The types of matrices by their part of the model, as llama.cpp's quantizer chooses them (src/llama-quant.cpp). */
const MIXTURES = {
  // All of them, the output matrix included: `llama-quantize --pure`.
  Q4_0: () => 'Q4_0',
  Q8_0: () => 'Q8_0',
  Q6_K: ({ columns }) => fallbackOf('Q6_K', columns),
  Q4_K_M: ({ part, columns, moreBits }) => {
    const precise = part === 'output' || (moreBits && ['attn_v', 'ffn_down'].includes(part));
    return fallbackOf(precise ? 'Q6_K' : 'Q4_K', columns);
  },
};

/** The first eighth of the layers, the last, and every third between them. */
function usesMoreBits(layer, layers) {
  const eighth = Math.floor(layers / 8);
  return layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2;
}

/** Of matrices whose rows are not a whole number of blocks. */
const FALLBACKS = { Q4_K: 'Q5_0', Q6_K: 'Q8_0' };

const fallbackOf = (type, columns) => (columns % BLOCK_TYPES[type].values === 0 ? type : FALLBACKS[type]);

/** Bytes of the file that one token of decoding goes through: all matrices but embeddings that are not tied. */
export function matrixBytesPerToken(shape) {
  const matrices = tensorsOf(shape).filter(({ name, dimensions }) => {
    return dimensions.length === 2 && (shape.tied || name !== 'token_embd.weight');
  });
  return matrices.reduce((sum, tensor) => sum + bytesOf(tensor), 0);
}
