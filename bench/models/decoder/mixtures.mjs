// The types of matrices by their part of the model, as llama.cpp's quantizer chooses them (src/llama-quant.cpp).
import { layersWith } from '../decoder_shapes.mjs';
import { BLOCK_TYPES } from '../files/gguf.mjs';

/** `layer`: where the matrix is one of a layer. */
export function typeOf(shape, { part, columns, layer }) {
  return MIXTURES[shape.mixture]({ shape, part, columns, layer });
}

const MIXTURES = {
  // All of them, the output matrix included: `llama-quantize --pure`.
  Q4_0: () => 'Q4_0',
  Q8_0: () => 'Q8_0',
  Q6_K: ({ columns }) => fallbackOf('Q6_K', columns),
  Q4_K_M: ({ shape, part, columns, layer }) => fallbackOf(typeInMedium(shape, part, layer), columns),
};

/** Matrices that have more bits in half of the layers, with the mixers of the layers that are counted. */
const PRECISE = {
  attn_v: ['attention', 'deltaNet'],
  attn_qkv: ['attention', 'deltaNet'],
  ffn_down: ['attention', 'deltaNet', 'mamba'],
  ffn_down_exps: ['attention', 'deltaNet', 'mamba'],
};

function typeInMedium(shape, part, layer) {
  if (part === 'output') return 'Q6_K';
  if (!PRECISE[part]) return 'Q4_K';
  const layers = layersWith(PRECISE[part], shape);
  return usesMoreBits(layers.indexOf(layer), layers.length) ? 'Q6_K' : 'Q4_K';
}

/** The first eighth of the layers, the last, and every third between them. */
function usesMoreBits(layer, layers) {
  const eighth = Math.floor(layers / 8);
  return layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2;
}

/** Types for matrices whose rows are not a whole number of blocks. */
const FALLBACKS = { Q4_K: 'Q5_0', Q6_K: 'Q8_0' };

const fallbackOf = (type, columns) => (columns % BLOCK_TYPES[type].values === 0 ? type : FALLBACKS[type]);
