// The tensors of a decoder of the Llama kind whose output is its embedding: [name, shape], in the order of a
// checkpoint.

const VOCABULARY = 32000;
const WIDTH = 768;
const FEED_FORWARD = 2048;
const HEADS = 12;

export function llamaTensors(layers) {
  return [
    ['model.embed_tokens.weight', [VOCABULARY, WIDTH]],
    ...Array.from({ length: layers }, (_, layer) => layerTensors(`model.layers.${layer}.`)).flat(),
    ['model.norm.weight', [WIDTH]],
  ];
}

function layerTensors(prefix) {
  const square = [WIDTH, WIDTH];
  return [
    [`${prefix}input_layernorm.weight`, [WIDTH]],
    ...['q', 'k', 'v', 'o'].map((name) => [`${prefix}self_attn.${name}_proj.weight`, square]),
    [`${prefix}post_attention_layernorm.weight`, [WIDTH]],
    [`${prefix}mlp.gate_proj.weight`, [FEED_FORWARD, WIDTH]],
    [`${prefix}mlp.up_proj.weight`, [FEED_FORWARD, WIDTH]],
    [`${prefix}mlp.down_proj.weight`, [WIDTH, FEED_FORWARD]],
  ];
}

/** Its config.json. */
export function llamaConfig(layers) {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_act: 'silu',
    vocab_size: VOCABULARY,
    hidden_size: WIDTH,
    num_hidden_layers: layers,
    num_attention_heads: HEADS,
    num_key_value_heads: HEADS,
    intermediate_size: FEED_FORWARD,
    max_position_embeddings: 2048,
    rms_norm_eps: 1e-5,
    tie_word_embeddings: true,
  };
}

export const elementsOf = (shape) => shape.reduce((product, dimension) => product * dimension, 1);
