// A GGUF file of the same tensors: head and tensor table, and data that is a hole of the file system.
import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';

import { alignUp, MAGIC, pair, string, u32, u64, VERSION } from '../files/gguf_values.mjs';
import { elementsOf, llamaTensors } from './llama.mjs';

const F16 = 1;

export async function writeGguf(path, layers) {
  const tensors = llamaTensors(layers);
  const values = [
    ['general.architecture', 'string', 'llama'],
    ['llama.block_count', 'uint32', layers],
    ['llama.context_length', 'uint32', 2048],
    ['llama.embedding_length', 'uint32', 768],
    ['llama.feed_forward_length', 'uint32', 2048],
    ['llama.attention.head_count', 'uint32', 12],
    ['llama.attention.layer_norm_rms_epsilon', 'float32', 1e-5],
  ];
  const pairs = values.map((value) => pair(...value));
  const { index, bytes } = tensorTable(tensors);
  const head = Buffer.concat([MAGIC, u32(VERSION), u64(tensors.length), u64(values.length), ...pairs, ...index]);
  const file = await open(path, 'w');
  await file.write(head);
  await file.truncate(alignUp(head.length) + bytes);
  await file.close();
}

function tensorTable(tensors) {
  const index = [];
  let bytes = 0;
  for (const [name, shape] of tensors) {
    const dimensions = shape.toReversed().map(u64);
    index.push(string(nameInGguf(name)), u32(shape.length), ...dimensions, u32(F16), u64(bytes));
    bytes = alignUp(bytes + elementsOf(shape) * 2);
  }
  return { index, bytes };
}

const NAMES = {
  'model.embed_tokens.': 'token_embd.',
  'model.norm.': 'output_norm.',
  'model.layers.': 'blk.',
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

function nameInGguf(name) {
  return Object.entries(NAMES).reduce((text, [ours, theirs]) => text.replace(ours, theirs), name);
}
