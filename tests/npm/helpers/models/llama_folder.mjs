// A Hugging Face folder of a decoder in two shards: the weights of a fixture under the same names.
import { inspect, readTensor } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';
import { runCases } from '../generator_fixtures.mjs';
import { fixturePath } from '../model_fixtures.mjs';

/** The fixture, with what independent code computed of it. */
export const folderCase = runCases.find((candidate) => candidate.path === 'amb/llama-f32.amb');
export const shards = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];

/** The files by name. */
export async function llamaFolder() {
  const path = fixturePath(folderCase.path);
  const { config, tensors } = await inspect(path);
  const map = {};
  const parts = [new Map(), new Map()];
  for (const [i, { name }] of tensors.entries()) {
    const { shape, data } = await readTensor(path, name);
    parts[i % 2].set(name, { dtype: 'F32', shape, data });
    map[name] = shards[i % 2];
  }
  const [inner] = tensors.find(({ name }) => name.includes('gate_proj')).shape;
  const files = {
    'config.json': {
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      vocab_size: config.n_vocab,
      hidden_size: config.n_embd,
      num_hidden_layers: config.n_layers,
      num_attention_heads: config.n_heads,
      num_key_value_heads: config.n_kv_heads,
      intermediate_size: inner,
      max_position_embeddings: 64,
      hidden_act: 'silu',
      rms_norm_eps: 1e-5,
      rope_theta: 10000,
      tie_word_embeddings: false,
    },
    'model.safetensors.index.json': { metadata: {}, weight_map: map },
  };
  for (const [name, content] of Object.entries(files)) files[name] = new TextEncoder().encode(JSON.stringify(content));
  for (const [i, part] of parts.entries()) files[shards[i]] = await writeSafetensors(part);
  return files;
}
