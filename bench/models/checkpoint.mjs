// The model files of the subject formats, made once: 1.5 GB. They are made again when this code changes.
import { Buffer } from 'node:buffer';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MADE } from '../harness/paths.mjs';
import { alignUp, MAGIC, pair, string, u32, u64, VERSION } from './files/gguf.mjs';
import { convertTo, hashOfCode, makeOnce } from './files/make_once.mjs';
import { safetensorsHead } from './files/safetensors.mjs';

const fileOf = (name) => join(MADE, 'formats', name);
/** 500 MB in float16, 440 MB in float32. */
export const LAYERS = { f16: 32, f32: 12 };

/** Folders with a config.json and a model.safetensors. */
export const FOLDERS = { f16: fileOf('llama-f16'), f32: fileOf('llama-f32') };
export const INSPECTED = {
  safetensors: join(FOLDERS.f16, 'model.safetensors'),
  amb: fileOf('llama-f16.amb'),
  gguf: fileOf('llama-f16.gguf'),
};
export const CONVERTED = fileOf('converted.amb');

export async function prepareModels() {
  await makeOnce('model files', fileOf('.made-by'), await hashOfCode(import.meta.filename), async () => {
    const pools = seededPools();
    await writeFolder(FOLDERS.f16, { layers: LAYERS.f16, dtype: 'F16', pool: pools.f16 });
    await writeFolder(FOLDERS.f32, { layers: LAYERS.f32, dtype: 'F32', pool: pools.f32 });
    await writeGguf(INSPECTED.gguf, LAYERS.f16);
    const names = ['config.json', 'model.safetensors'];
    const source = Object.fromEntries(names.map((name) => [name, join(FOLDERS.f16, name)]));
    await convertTo(INSPECTED.amb, source, { to: 'amb' });
  });
}

// A decoder of the Llama kind whose output is its embedding.
const VOCABULARY = 32000;
const WIDTH = 768;
const FEED_FORWARD = 2048;
const HEADS = 12;

/** [name, shape] of each, in the order of a checkpoint. */
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

/** config.json. */
function llamaConfig(layers) {
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

const BYTES = { F16: 2, F32: 4 };

/**
 * A folder of Hugging Face: config.json, and model.safetensors written piece by piece.
 * @param pool bytes of values of the type `dtype`
 */
async function writeFolder(folder, { layers, dtype, pool }) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.json'), JSON.stringify(llamaConfig(layers), null, 1));
  const tensors = llamaTensors(layers).map(([name, shape]) => ({
    name,
    shape,
    bytes: elementsOf(shape) * BYTES[dtype],
  }));
  const file = await open(join(folder, 'model.safetensors'), 'w');
  await file.write(safetensorsHead(dtype, tensors));
  for (const { bytes } of tensors) await writeBytes(file, bytes, pool);
  await file.close();
}

async function writeBytes(file, bytes, pool) {
  for (let left = bytes; left > 0; left -= pool.length) {
    await file.write(pool, 0, Math.min(left, pool.length));
  }
}

const POOL = 1048573;

/** Random weights around zero from a fixed seed, as bytes that repeat: { f32, f16 }, POOL values each. */
function seededPools() {
  const f32 = new Float32Array(POOL);
  let state = 1;
  for (let i = 0; i < POOL; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    f32[i] = (state / 2 ** 32 - 0.5) * 0.08;
  }
  return { f32: bytesOf(f32), f16: bytesOf(Uint16Array.from(f32, halfOf)) };
}

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

// Truncates instead of rounding; values below the smallest normal half become zero.
function halfOf(value) {
  float[0] = value;
  const sign = (bits[0] >>> 16) & 0x8000;
  const exponent = ((bits[0] >>> 23) & 0xff) - 112;
  return exponent <= 0 ? sign : sign | (exponent << 10) | ((bits[0] >>> 13) & 0x3ff);
}

const F16 = 1;

/** A GGUF file of the same tensors: head and tensor table, and data that is a hole of the file system. */
async function writeGguf(path, layers) {
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
