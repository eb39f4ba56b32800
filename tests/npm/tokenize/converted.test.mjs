// Tokenizers of AMB files that were converted from Hugging Face folders: their ids are still those of Hugging Face's
// own library (tests/fixtures/tokenizers/random).
import { readFileSync } from 'node:fs';
import { convert, Tokenizer } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';
import { hashOf, textsFor, unpacked } from '../../fixtures/tokenizers/random/hashes.mjs';
import { fixtures } from '../../fixtures/tokenizers/random/tokenizers.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const expected = JSON.parse(readFileSync(fixturePath('tokenizers/random/expected.json'), 'utf8'));

const [hidden, inner] = [8, 16];
const bytes = (json) => new TextEncoder().encode(JSON.stringify(json));

/** The smallest decoder for a vocabulary. */
async function folderOf(tokenizer) {
  const ids = [...Object.values(tokenizer.model.vocab), ...tokenizer.added_tokens.map(({ id }) => id)];
  const vocabulary = ids.reduce((most, id) => Math.max(most, id), 0) + 1;
  const layer = {
    'input_layernorm.weight': [hidden],
    'post_attention_layernorm.weight': [hidden],
    ...Object.fromEntries(['q', 'k', 'v', 'o'].map((name) => [`self_attn.${name}_proj.weight`, [hidden, hidden]])),
    'mlp.gate_proj.weight': [inner, hidden],
    'mlp.up_proj.weight': [inner, hidden],
    'mlp.down_proj.weight': [hidden, inner],
  };
  const shapes = {
    'model.embed_tokens.weight': [vocabulary, hidden],
    ...Object.fromEntries(Object.entries(layer).map(([name, shape]) => [`model.layers.0.${name}`, shape])),
    'model.norm.weight': [hidden],
  };
  const tensors = Object.entries(shapes).map(([name, shape]) => {
    const data = new Float32Array(shape.reduce((product, size) => product * size));
    return [name, { dtype: 'F32', shape, data }];
  });
  return {
    'config.json': bytes({
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      vocab_size: vocabulary,
      hidden_size: hidden,
      num_hidden_layers: 1,
      num_attention_heads: 2,
      intermediate_size: inner,
      max_position_embeddings: 64,
      hidden_act: 'silu',
      rms_norm_eps: 1e-5,
      tie_word_embeddings: true,
    }),
    'tokenizer.json': bytes(tokenizer),
    'model.safetensors': await writeSafetensors(new Map(tensors)),
  };
}

test.each([
  'gpt2',
  'starcoder',
  'llama3',
  'bloom',
  'chameleon',
  'n-marks',
  'llama2',
  'llama2-first',
  'gemma',
  'added-gpt2',
  'added-llama2',
  'added-gemma',
])('%s', async (name) => {
  const json = fixtures[name]();
  const amb = await new Response(convert(await folderOf(json), { to: 'amb', quantize: 'f16' })).blob();
  const tokenizer = await Tokenizer.load(amb);
  const hashes = unpacked(expected[name]);
  const differ = textsFor(json).filter(
    (text, i) => hashOf(tokenizer.encode(text, { addSpecial: false, parseSpecial: true })) !== hashes[i],
  );
  tokenizer.close();
  expect(differ).toEqual([]);
});
