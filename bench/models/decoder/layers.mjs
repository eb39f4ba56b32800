// The tensors of a layer: those of its mixer, then those of its MLP. Each is { name, dimensions, type, values, gain }:
// `dimensions` as in the file, columns first; `values`, of numbers that are not quantized, the smallest and the
// largest; `gain`, how much larger than usual the values of a matrix are.
import { headDimOf, mixerOf } from '../decoder_shapes.mjs';
import { typeOf } from './mixtures.mjs';

/** The matrices with products that are added to the residual stream. */
const OUTPUTS = ['attn_output', 'ssm_out', 'ffn_down', 'ffn_down_exps'];

const ONES = [1, 1];
const AROUND_ZERO = [-1 / 2, 1 / 2];
/** The decay of a state, and the lengths of its steps before their softplus: a state lasts for about ten tokens. */
const RATES = [-2, -1 / 2];
const STEPS = [-3, -1];

/** Values that keep the magnitude of their factors in a sum of `terms` products. */
const forSumOf = (terms) => [-Math.sqrt(3 / terms), Math.sqrt(3 / terms)];

const numbers = (name, dimensions, values) => ({ name, dimensions, type: 'F32', values });

export const normOf = (name, length) => numbers(`${name}.weight`, [length], ONES);

export function layerTensors(shape, layer) {
  const named = (name) => `blk.${layer}.${name}`;
  const parts = {
    numbers: (part, dimensions, values) => numbers(named(part), dimensions, values),
    norm: (part, length = shape.width) => normOf(named(part), length),
    bias: (part, length) => numbers(named(`${part}.bias`), [length], AROUND_ZERO),
    /** `more`: a third dimension. */
    matrix: (part, columns, rows, ...more) => ({
      name: named(`${part}.weight`),
      dimensions: [columns, rows, ...more],
      type: typeOf(shape, { part, columns, layer }),
      gain: OUTPUTS.includes(part) ? shape.branchGain : undefined,
    }),
  };
  const mlp = shape.experts ? 'experts' : 'gated';
  return [...MIXERS[mixerOf(shape, layer)](shape, parts), ...MLPS[mlp](shape, parts)];
}

const only = (isThere, ...tensors) => (isThere ? tensors : []);

const MIXERS = {
  attention(shape, { norm, bias, matrix }) {
    const { width, heads, kvHeads, attentionBias, normedHeads, normedBranches, gatedHeads } = shape;
    const headDim = headDimOf(shape);
    const [queryWidth, kvWidth] = [headDim * heads, headDim * kvHeads];
    return [
      norm('attn_norm'),
      matrix('attn_q', width, gatedHeads ? 2 * queryWidth : queryWidth),
      ...only(attentionBias, bias('attn_q', queryWidth)),
      matrix('attn_k', width, kvWidth),
      ...only(attentionBias, bias('attn_k', kvWidth)),
      matrix('attn_v', width, kvWidth),
      ...only(attentionBias, bias('attn_v', kvWidth)),
      ...only(normedHeads, norm('attn_q_norm', headDim), norm('attn_k_norm', headDim)),
      matrix('attn_output', queryWidth, width),
      ...only(normedBranches, norm('post_attention_norm')),
    ];
  },

  /** The numbers of value heads and key heads are equal. */
  deltaNet({ width, deltaNet }, { numbers, norm, matrix }) {
    const { heads, headDim, kernel } = deltaNet;
    const inner = heads * headDim;
    return [
      norm('attn_norm'),
      matrix('attn_qkv', width, 3 * inner),
      matrix('attn_gate', width, inner),
      numbers('ssm_conv1d.weight', [kernel, 3 * inner], forSumOf(kernel)),
      matrix('ssm_alpha', width, heads),
      matrix('ssm_beta', width, heads),
      numbers('ssm_a', [heads], RATES),
      numbers('ssm_dt.bias', [heads], STEPS),
      norm('ssm_norm', headDim),
      matrix('ssm_out', inner, width),
    ];
  },

  /** Mamba-2, with one group of heads. */
  mamba({ width, mamba }, { numbers, norm, bias, matrix }) {
    const { heads, headDim, state, kernel } = mamba;
    const inner = heads * headDim;
    const channels = inner + 2 * state;
    return [
      norm('attn_norm'),
      matrix('ssm_in', width, inner + channels + heads),
      numbers('ssm_conv1d.weight', [kernel, channels], forSumOf(kernel)),
      bias('ssm_conv1d', channels),
      numbers('ssm_a', [1, heads], RATES),
      numbers('ssm_dt.bias', [heads], STEPS),
      numbers('ssm_d', [1, heads], ONES),
      numbers('ssm_norm.weight', [inner, 1], ONES),
      matrix('ssm_out', inner, width),
    ];
  },
};

const MLPS = {
  gated({ width, feedForward, normedBranches, mlpNorm = 'ffn_norm' }, { norm, matrix }) {
    return [
      norm(mlpNorm),
      matrix('ffn_gate', width, feedForward),
      matrix('ffn_up', width, feedForward),
      matrix('ffn_down', feedForward, width),
      ...only(normedBranches, norm('post_ffw_norm')),
    ];
  },

  experts({ width, feedForward, experts }, { numbers, norm, matrix }) {
    return [
      norm('ffn_norm'),
      numbers('ffn_gate_inp.weight', [width, experts.count], forSumOf(width)),
      matrix('ffn_gate_exps', width, feedForward, experts.count),
      matrix('ffn_up_exps', width, feedForward, experts.count),
      matrix('ffn_down_exps', feedForward, width, experts.count),
    ];
  },
};
