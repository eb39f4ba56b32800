// A decoder of the smallest size for a vocabulary of a given size, or of a larger one, as the files of a Hugging Face
// folder: tests of tokenizers and of files need no sensible weights.
import { writeSafetensors } from 'quintet/safetensors';

const HEAD = 8;
const SMALLEST = { width: HEAD, layers: 1, positions: 8 };

const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value));

const config = (vocabularySize, { width, layers, positions }) => ({
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  vocab_size: vocabularySize,
  hidden_size: width,
  num_hidden_layers: layers,
  num_attention_heads: width / HEAD,
  num_key_value_heads: width / HEAD,
  intermediate_size: width,
  max_position_embeddings: positions,
  hidden_act: 'silu',
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  tie_word_embeddings: true,
});

const layer = (index, name) => `model.layers.${index}.${name}.weight`;
const matrices = ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj', 'self_attn.o_proj'].concat([
  'mlp.gate_proj',
  'mlp.up_proj',
  'mlp.down_proj',
]);
const norms = ['input_layernorm', 'post_attention_layernorm'];

const tensorShapes = (vocabularySize, { width, layers }) => [
  ['model.embed_tokens.weight', vocabularySize, width],
  ...Array.from({ length: layers }, (_, i) => [
    ...matrices.map((name) => [layer(i, name), width, width]),
    ...norms.map((name) => [layer(i, name), width]),
  ]).flat(),
  ['model.norm.weight', width],
];

/** `tokenizerFiles`: by name; what is not bytes is written as JSON. `width`: a multiple of 8. */
export async function tinyGenerator(vocabularySize, tokenizerFiles, sizes = SMALLEST) {
  const tensors = tensorShapes(vocabularySize, sizes).map(([name, ...shape], n) => {
    const size = shape.reduce((product, dimension) => product * dimension);
    return [
      name,
      { dtype: 'F32', shape, data: Float32Array.from({ length: size }, (_, i) => Math.sin(n + i * i) / 2) },
    ];
  });
  const files = Object.entries({ 'config.json': config(vocabularySize, sizes), ...tokenizerFiles });
  return {
    ...Object.fromEntries(files.map(([name, file]) => [name, file instanceof Uint8Array ? file : bytesOf(file)])),
    'model.safetensors': await writeSafetensors(new Map(tensors)),
  };
}
