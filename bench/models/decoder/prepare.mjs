// The files of decoders of random weights, made once: 10 GB for all. One is made again when its shape or the code in
// this folder changes.
import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { MADE } from '../../harness/paths.mjs';
import { CONTEXT_LENGTH, headDimOf, MODELS } from '../decoder_shapes.mjs';
import { alignUp, BLOCK_TYPES, bytesOf, MAGIC, pair, randomBlocks, string, u32, u64, VERSION } from '../files/gguf.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { RandomBytes } from '../files/random.mjs';
import { tokenizerPairs } from './vocabulary.mjs';

const fileOf = (name) => join(MADE, 'decoder', name);

/** The model of a shape, as all contestants but quintet load it. */
export const ggufFile = (shape) => fileOf(`${shape}.gguf`);
/** As quintet loads it: the same weights, in its own format where the shape says so. */
export const quintetFile = (shape) => (MODELS[shape].convert ? fileOf(`${shape}.amb`) : ggufFile(shape));

export async function prepareModels(names) {
  const code = await hashOfCode(import.meta.dirname);
  for (const name of names) {
    const shape = MODELS[name];
    await makeOnce(`the files of ${name}`, fileOf(`.made-by-${name}`), `${JSON.stringify(shape)} ${code}`, async () => {
      await writeModel(ggufFile(name), shape);
      if (shape.convert) await convertTo(quintetFile(name), ggufFile(name), shape.convert);
    });
  }
}

/** A GGUF file of random weights. */
async function writeModel(path, shape) {
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

/** The tensors: { name, dimensions, type } of each, in the order of the file; `dimensions` as there: columns first. */
function tensorsOf(shape) {
  const { layers, width, heads, kvHeads, feedForward, vocabulary, tied, attentionBias, mixture } = shape;
  const { normedHeads = false, normedBranches = false } = shape;
  const headDim = headDimOf(shape);
  const [queryWidth, kvWidth] = [headDim * heads, headDim * kvHeads];
  const typeOf = MIXTURES[mixture];
  const vector = (name, length) => ({ name, dimensions: [length], type: 'F32' });
  const blocks = (number) => {
    const name = (part) => `blk.${number}.${part}`;
    const norm = (part, length = width) => vector(name(`${part}.weight`), length);
    const only = (isThere, tensor) => (isThere ? [tensor] : []);
    const matrix = (part, columns, rows) => ({
      name: name(`${part}.weight`),
      dimensions: [columns, rows],
      type: typeOf({ part, columns, moreBits: usesMoreBits(number, layers) }),
    });
    const bias = (part, rows) => (attentionBias ? [vector(name(`${part}.bias`), rows)] : []);
    return [
      norm('attn_norm'),
      matrix('attn_q', width, queryWidth),
      ...bias('attn_q', queryWidth),
      matrix('attn_k', width, kvWidth),
      ...bias('attn_k', kvWidth),
      matrix('attn_v', width, kvWidth),
      ...bias('attn_v', kvWidth),
      ...only(normedHeads, norm('attn_q_norm', headDim)),
      ...only(normedHeads, norm('attn_k_norm', headDim)),
      matrix('attn_output', queryWidth, width),
      ...only(normedBranches, norm('post_attention_norm')),
      norm('ffn_norm'),
      matrix('ffn_gate', width, feedForward),
      matrix('ffn_up', width, feedForward),
      matrix('ffn_down', feedForward, width),
      ...only(normedBranches, norm('post_ffw_norm')),
    ];
  };
  const table = (part) => ({
    name: `${part}.weight`,
    dimensions: [width, vocabulary],
    type: typeOf({ part: tied ? 'output' : part, columns: width }),
  });
  return [
    table('token_embd'),
    ...Array.from({ length: layers }, (_, number) => blocks(number)).flat(),
    vector('output_norm.weight', width),
    ...(tied ? [] : [table('output')]),
  ];
}

/** The types of matrices by their part of the model, as llama.cpp's quantizer chooses them (src/llama-quant.cpp). */
const MIXTURES = {
  // All of them, the output matrix included: `llama-quantize --pure`.
  Q4_0: () => 'Q4_0',
  Q8_0: () => 'Q8_0',
  Q6_K: ({ columns }) => fallbackOf('Q6_K', columns),
  Q4_K_M: ({ part, columns, moreBits }) => {
    const precise = part === 'output' || (moreBits && ['attn_v', 'ffn_down'].includes(part));
    return fallbackOf(precise ? 'Q6_K' : 'Q4_K', columns);
  },
};

/** The first eighth of the layers, the last, and every third between them. */
function usesMoreBits(layer, layers) {
  const eighth = Math.floor(layers / 8);
  return layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2;
}

/** Types for matrices whose rows are not a whole number of blocks. */
const FALLBACKS = { Q4_K: 'Q5_0', Q6_K: 'Q8_0' };

const fallbackOf = (type, columns) => (columns % BLOCK_TYPES[type].values === 0 ? type : FALLBACKS[type]);

/** Bytes of the file that one token of decoding goes through: all matrices but embeddings that are not tied. */
export function matrixBytesPerToken(shape) {
  const matrices = tensorsOf(shape).filter(({ name, dimensions }) => {
    return dimensions.length === 2 && (shape.tied || name !== 'token_embd.weight');
  });
  return matrices.reduce((sum, tensor) => sum + bytesOf(tensor), 0);
}
