// The files of decoders of random weights, made once: 10 GB for all. One is made again when its shape or the code in
// this folder changes.
import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { MADE } from '../../harness/paths.mjs';
import { MODELS } from '../decoder_shapes.mjs';
import { alignUp, BLOCK_TYPES, bytesOf, MAGIC, randomBlocks, string, u32, u64, VERSION } from '../files/gguf.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { RandomBytes } from '../files/random.mjs';
import { layerTensors, normOf } from './layers.mjs';
import { metadataOf } from './metadata.mjs';
import { typeOf } from './mixtures.mjs';

const fileOf = (name) => join(MADE, 'decoder', name);

/** The model of a shape, as all contestants but quintet load it. */
export const ggufFile = (shape) => fileOf(`${shape}.gguf`);
/** The model as quintet loads it: the same weights, in its own format if the shape asks for it. */
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
  const pairs = metadataOf(shape);
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

/** Weights that keep the magnitude of activations from layer to layer. */
function dataOf(tensor, random) {
  const { dimensions, type, gain = 1, values: range } = tensor;
  if (type !== 'F32') return randomBlocks(tensor, gain / Math.sqrt(dimensions[0]), random);
  const data = Buffer.alloc(bytesOf(tensor));
  const values = new Float32Array(data.buffer, data.byteOffset, data.length / 4);
  const [least, greatest] = range;
  if (least === greatest) {
    values.fill(least);
    return data;
  }
  random.fill(data);
  const integers = new Int32Array(values.buffer, values.byteOffset, values.length);
  const [middle, width] = [(least + greatest) / 2, greatest - least];
  for (let i = 0; i < values.length; i++) values[i] = middle + (width * integers[i]) / 2 ** 32;
  return data;
}

const padded = (data) => Buffer.concat([data, Buffer.alloc(alignUp(data.length) - data.length)]);

/** The tensors in the order of the file, as layers.mjs has them. */
function tensorsOf(shape) {
  const { layers, width, vocabulary, tied } = shape;
  const table = (part) => ({
    name: `${part}.weight`,
    dimensions: [width, vocabulary],
    type: typeOf(shape, { part: tied ? 'output' : part, columns: width }),
  });
  return [
    table('token_embd'),
    ...Array.from({ length: layers }, (_, layer) => layerTensors(shape, layer)).flat(),
    normOf('output_norm', width),
    ...(tied ? [] : [table('output')]),
  ];
}

/** Bytes of the file that one token of decoding goes through: all matrices but embeddings that are not tied. */
export function matrixBytesPerToken(shape) {
  const matrices = tensorsOf(shape).filter(({ name, dimensions }) => {
    return dimensions.length > 1 && (shape.tied || name !== 'token_embd.weight');
  });
  return matrices.reduce((sum, tensor) => sum + bytesOf(tensor) * usedPartOf(tensor, shape), 0);
}

/** The share of a tensor that a token uses: of the matrices of all experts, those of the chosen ones. */
const usedPartOf = ({ dimensions }, { experts }) => (dimensions.length > 2 ? experts.used / experts.count : 1);
