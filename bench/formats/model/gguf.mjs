// A GGUF file of the same tensors: head and tensor table, and data that is a hole of the file system.
import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';

import { elementsOf, llamaTensors } from './llama.mjs';

const VERSION = 3;
const ALIGNMENT = 32;
const F16 = 1;
const VALUE_TYPE = { uint32: 4, float32: 6, string: 8 };

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
  const pairs = values.flatMap(([key, type, value]) => [
    string(key),
    u32(VALUE_TYPE[type]),
    { uint32: u32, float32: f32, string }[type](value),
  ]);
  const { index, bytes } = tensorTable(tensors);
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(VERSION),
    u64(tensors.length),
    u64(values.length),
    ...pairs,
    ...index,
  ]);
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

const alignUp = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function number(bytes, write) {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}
const u32 = (value) => number(4, (buffer) => buffer.writeUInt32LE(value));
const u64 = (value) => number(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
const f32 = (value) => number(4, (buffer) => buffer.writeFloatLE(value));

function string(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([u64(bytes.length), bytes]);
}
