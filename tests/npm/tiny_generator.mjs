// A decoder of the smallest size for a vocabulary of a given size, as the files of a Hugging Face folder: tests of
// tokenizers need no sensible weights.
import { writeSafetensors } from 'quintet/safetensors';

const WIDTH = 8; // one attention head

const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value));

const config = (vocabularySize) => ({
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  vocab_size: vocabularySize,
  hidden_size: WIDTH,
  num_hidden_layers: 1,
  num_attention_heads: 1,
  num_key_value_heads: 1,
  intermediate_size: WIDTH,
  max_position_embeddings: 8,
  hidden_act: 'silu',
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  tie_word_embeddings: true,
});

const layer = (name) => `model.layers.0.${name}.weight`;
const matrices = ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj', 'self_attn.o_proj'].concat(
  ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'],
);
const norms = ['input_layernorm', 'post_attention_layernorm'];

const tensorShapes = (vocabularySize) => [
  ['model.embed_tokens.weight', vocabularySize, WIDTH],
  ...matrices.map((name) => [layer(name), WIDTH, WIDTH]),
  ...norms.map((name) => [layer(name), WIDTH]),
  ['model.norm.weight', WIDTH],
];

/** `tokenizerFiles`: by name; what is not bytes is written as JSON. */
export async function tinyGenerator(vocabularySize, tokenizerFiles) {
  const tensors = tensorShapes(vocabularySize).map(([name, ...shape]) => {
    const size = shape.reduce((product, dimension) => product * dimension);
    return [name, { dtype: 'F32', shape, data: new Float32Array(size).fill(0.5) }];
  });
  const files = Object.entries({ 'config.json': config(vocabularySize), ...tokenizerFiles });
  return {
    ...Object.fromEntries(files.map(([name, file]) => [name, file instanceof Uint8Array ? file : bytesOf(file)])),
    'model.safetensors': await writeSafetensors(new Map(tensors)),
  };
}
