// The weights of the fixture embd/f32.weights as a Hugging Face folder: same tensors, names and vocabulary.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fixture } from '../quintet.mjs';
import { embdFacts } from './embd_facts.mjs';

export function writeHuggingFaceFolder(folder) {
  const { metadata, tensors } = embdFacts('f32.weights');
  mkdirSync(folder);
  writeFileSync(`${folder}/config.json`, JSON.stringify(config(metadata)));
  writeFileSync(`${folder}/model.safetensors`, safetensors(tensors, readFileSync(fixture('embd/f32.weights'))));
  copyFileSync(fixture('tokenizers/embd/vocab.txt'), `${folder}/vocab.txt`);
}

function config(metadata) {
  return {
    architectures: ['BertModel'],
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: Number(metadata.hidden_size),
    intermediate_size: Number(metadata.intermediate_size),
    layer_norm_eps: 1e-12,
    max_position_embeddings: Number(metadata.max_position_emb),
    num_attention_heads: Number(metadata.num_attention_heads),
    num_hidden_layers: Number(metadata.num_layers),
    type_vocab_size: 2,
    vocab_size: Number(metadata.vocab_size),
  };
}

/** `tensors` contain the places of the float32 data in `file`. */
function safetensors(tensors, file) {
  const header = { __metadata__: { format: 'pt' } };
  const data = [];
  let at = 0;
  for (const { name, shape, offset, bytes } of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [at, (at += bytes)] };
    data.push(file.subarray(offset, offset + bytes));
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...data]);
}
