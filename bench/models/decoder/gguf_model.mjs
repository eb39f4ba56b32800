// A decoder of random weights as a GGUF file.
import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';
import { CONTEXT_LENGTH, headDimOf } from '../decoder_shapes.mjs';
import { alignUp, MAGIC, pair, string, u32, u64, VERSION } from '../files/gguf_values.mjs';
import { BLOCK_TYPES, bytesOf, RandomBytes, randomBlocks } from './block_types.mjs';
import { tensorsOf } from './tensors.mjs';
import { tokenizerPairs } from './vocabulary.mjs';

export async function writeModel(path, shape) {
  const tensors = tensorsOf(shape);
  const pairs = [...sizes(shape), ...tokenizerPairs(shape.tokenizer, shape.vocabulary)];
  const index = [];
  let bytes = 0;
  for (const tensor of tensors) {
    const { name, dimensions, type } = tensor;
    index.push(string(name), u32(dimensions.length), ...dimensions.map(u64), u32(BLOCK_TYPES[type].number), u64(bytes));
    bytes += alignUp(bytesOf(tensor));
  }
  const counts = [u64(tensors.length), u64(pairs.length)];
  const head = Buffer.concat([MAGIC, u32(VERSION), ...counts, ...pairs, ...index]);
  const file = await open(path, 'w');
  await file.write(padded(head));
  const random = new RandomBytes();
  for (const tensor of tensors) await file.write(padded(dataOf(tensor, random)));
  await file.close();
}

function sizes(shape) {
  const {
    architecture,
    layers,
    width,
    heads,
    kvHeads,
    feedForward,
    vocabulary,
    contextLength = CONTEXT_LENGTH,
  } = shape;
  const own = (key, type, value) => pair(`${architecture}.${key}`, type, value);
  return [
    pair('general.architecture', 'string', architecture),
    pair('general.name', 'string', 'random'),
    own('context_length', 'uint32', contextLength),
    own('embedding_length', 'uint32', width),
    own('block_count', 'uint32', layers),
    own('feed_forward_length', 'uint32', feedForward),
    own('rope.dimension_count', 'uint32', headDimOf(shape)),
    own('attention.key_length', 'uint32', headDimOf(shape)),
    own('attention.value_length', 'uint32', headDimOf(shape)),
    ...(shape.window ? [own('attention.sliding_window', 'uint32', shape.window)] : []),
    own('attention.head_count', 'uint32', heads),
    own('attention.head_count_kv', 'uint32', kvHeads),
    own('attention.layer_norm_rms_epsilon', 'float32', shape.normEpsilon),
    own('rope.freq_base', 'float32', shape.ropeBase),
    own('vocab_size', 'uint32', vocabulary),
  ];
}

/** Weights of such a size that activations keep theirs from layer to layer; norms of 1, biases between -1/2 and 1/2. */
function dataOf(tensor, random) {
  const { name, dimensions, type } = tensor;
  if (type !== 'F32') return randomBlocks(tensor, 1 / Math.sqrt(dimensions[0]), random);
  const data = Buffer.alloc(bytesOf(tensor));
  const values = new Float32Array(data.buffer, data.byteOffset, data.length / 4);
  if (!name.endsWith('.bias')) {
    values.fill(1);
    return data;
  }
  random.fill(data);
  const integers = new Int32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < values.length; i++) values[i] = integers[i] / 2 ** 32;
  return data;
}

const padded = (data) => Buffer.concat([data, Buffer.alloc(alignUp(data.length) - data.length)]);
