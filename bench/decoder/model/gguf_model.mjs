// A Llama of random weights as a GGUF file: matrices in Q4_0, norms in float32.
import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';

import {
  alignUp,
  listPair,
  MAGIC,
  pair,
  string,
  u32,
  u64,
  VERSION,
} from '../../shared/gguf_values.mjs';
import { CONTEXT_LENGTH } from '../shapes.mjs';
import { RandomBytes } from './random_bytes.mjs';
import { makeVocabulary } from './vocabulary.mjs';

const F32 = 0;
const Q4_0 = 2;
const BLOCK = { values: 32, bytes: 18 };
/** Root mean square of the integers of a block, which are spread evenly over -8 to 7. */
const SPREAD = 4.6;

export async function writeModel(path, shape) {
  const tensors = tensorsOf(shape);
  const pairs = [...sizes(shape), ...tokenizer(shape.vocabulary)];
  const index = [];
  let bytes = 0;
  for (const { name, dimensions, type } of tensors) {
    index.push(string(name), u32(dimensions.length), ...dimensions.map(u64), u32(type), u64(bytes));
    bytes += alignUp(bytesOf({ dimensions, type }));
  }
  const counts = [u64(tensors.length), u64(pairs.length)];
  const head = Buffer.concat([MAGIC, u32(VERSION), ...counts, ...pairs, ...index]);
  const file = await open(path, 'w');
  await file.write(padded(head));
  const random = new RandomBytes();
  for (const tensor of tensors) await file.write(padded(dataOf(tensor, random)));
  await file.close();
}

function sizes({ layers, width, heads, kvHeads, feedForward, vocabulary, contextLength = CONTEXT_LENGTH }) {
  return [
    pair('general.architecture', 'string', 'llama'),
    pair('general.name', 'string', 'random'),
    pair('llama.context_length', 'uint32', contextLength),
    pair('llama.embedding_length', 'uint32', width),
    pair('llama.block_count', 'uint32', layers),
    pair('llama.feed_forward_length', 'uint32', feedForward),
    pair('llama.rope.dimension_count', 'uint32', width / heads),
    pair('llama.attention.head_count', 'uint32', heads),
    pair('llama.attention.head_count_kv', 'uint32', kvHeads),
    pair('llama.attention.layer_norm_rms_epsilon', 'float32', 1e-5),
    pair('llama.rope.freq_base', 'float32', 10000),
    pair('llama.vocab_size', 'uint32', vocabulary),
  ];
}

function tokenizer(size) {
  const { tokens, scores, kinds } = makeVocabulary(size);
  return [
    pair('tokenizer.ggml.model', 'string', 'llama'),
    pair('tokenizer.ggml.bos_token_id', 'uint32', 1),
    pair('tokenizer.ggml.eos_token_id', 'uint32', 2),
    pair('tokenizer.ggml.unknown_token_id', 'uint32', 0),
    pair('tokenizer.ggml.add_bos_token', 'bool', true),
    listPair('tokenizer.ggml.tokens', 'string', tokens),
    listPair('tokenizer.ggml.scores', 'float32', scores),
    listPair('tokenizer.ggml.token_type', 'int32', kinds),
  ];
}

/** `dimensions` as in the file: columns first. */
function tensorsOf({ layers, width, heads, kvHeads, feedForward, vocabulary, tied }) {
  const kvWidth = (width / heads) * kvHeads;
  const matrix = (name, columns, rows) => ({ name: `${name}.weight`, dimensions: [columns, rows], type: Q4_0 });
  const norm = (name) => ({ name: `${name}.weight`, dimensions: [width], type: F32 });
  const layer = (number) => {
    const part = (name) => `blk.${number}.${name}`;
    return [
      norm(part('attn_norm')),
      matrix(part('attn_q'), width, width),
      matrix(part('attn_k'), width, kvWidth),
      matrix(part('attn_v'), width, kvWidth),
      matrix(part('attn_output'), width, width),
      norm(part('ffn_norm')),
      matrix(part('ffn_gate'), width, feedForward),
      matrix(part('ffn_up'), width, feedForward),
      matrix(part('ffn_down'), feedForward, width),
    ];
  };
  return [
    matrix('token_embd', width, vocabulary),
    ...Array.from({ length: layers }, (_, number) => layer(number)).flat(),
    norm('output_norm'),
    ...(tied ? [] : [matrix('output', width, vocabulary)]),
  ];
}

function bytesOf({ dimensions, type }) {
  const values = dimensions.reduce((product, size) => product * size, 1);
  return type === F32 ? values * 4 : (values / BLOCK.values) * BLOCK.bytes;
}

/** Weights of such a size that activations keep theirs from layer to layer. */
function dataOf(tensor, random) {
  const data = Buffer.alloc(bytesOf(tensor));
  if (tensor.type === F32) {
    new Float32Array(data.buffer, data.byteOffset, data.length / 4).fill(1);
    return data;
  }
  random.fill(data);
  const scale = halfOf(1 / Math.sqrt(tensor.dimensions[0]) / SPREAD);
  for (let at = 0; at < data.length; at += BLOCK.bytes) {
    // Scales differ a little, so that one in the wrong place shows.
    data.writeUInt16LE(scale + (data[at] & 15), at);
  }
  return data;
}

/** Of a positive normal number. */
function halfOf(value) {
  const [bits] = new Uint32Array(new Float32Array([value]).buffer);
  return (((bits >>> 23) - 112) << 10) | ((bits >>> 13) & 0x3ff);
}

const padded = (data) => Buffer.concat([data, Buffer.alloc(alignUp(data.length) - data.length)]);
