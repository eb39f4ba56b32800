// Random weights of a ModernBERT encoder, by the names of its checkpoints.
import { normal, uniform } from '../files/random.mjs';

const LINEAR_DEVIATION = 0.04;

/** Name to { shape, data }; linear weights are [outputs, inputs], as PyTorch stores them. */
export function randomModernBert({ layers, hidden, intermediate, vocabulary }, seed = 1) {
  const next = uniform(seed);
  const tensors = new Map();
  const add = (name, shape, distribution) => {
    const count = shape.reduce((product, size) => product * size, 1);
    tensors.set(name, { shape, data: normal(next, count, distribution) });
  };
  const addNorm = (name) => add(`${name}.weight`, [hidden], { mean: 1, deviation: 0.1 });
  const addLinear = (name, outputs, inputs) =>
    add(`${name}.weight`, [outputs, inputs], { deviation: LINEAR_DEVIATION });

  add('embeddings.tok_embeddings.weight', [vocabulary, hidden], { deviation: 0.05 });
  addNorm('embeddings.norm');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `layers.${layer}`;
    if (layer !== 0) addNorm(`${prefix}.attn_norm`);
    addLinear(`${prefix}.attn.Wqkv`, 3 * hidden, hidden);
    addLinear(`${prefix}.attn.Wo`, hidden, hidden);
    addNorm(`${prefix}.mlp_norm`);
    addLinear(`${prefix}.mlp.Wi`, 2 * intermediate, hidden);
    addLinear(`${prefix}.mlp.Wo`, hidden, intermediate);
  }
  addNorm('final_norm');
  return tensors;
}

/** config.json. */
export const modernBertConfig = (shape) => ({
  architectures: ['ModernBertModel'],
  model_type: 'modernbert',
  hidden_size: shape.hidden,
  num_hidden_layers: shape.layers,
  num_attention_heads: shape.heads,
  intermediate_size: shape.intermediate,
  hidden_activation: 'gelu',
  norm_eps: shape.normEpsilon,
  norm_bias: false,
  attention_bias: false,
  mlp_bias: false,
  global_attn_every_n_layers: shape.globalEvery,
  global_rope_theta: shape.globalTheta,
  local_rope_theta: shape.localTheta,
  local_attention: shape.window,
  max_position_embeddings: shape.positions,
  vocab_size: shape.vocabulary,
  cls_token_id: 101,
  sep_token_id: 102,
  pad_token_id: 0,
});
