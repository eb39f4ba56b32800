// The two further heads of bge-m3 (Chen et al. 2024, arXiv:2402.03216), linear layers of each token's hidden state, in
// files of PyTorch: colbert_linear.pt gives vectors of tokens, sparse_linear.pt a weight. For the engine they become a
// folder of PyLate.

import { QuintetError } from '../../base/errors.js';
import type { ModelFile } from '../../sources/types.js';
import type { EmbedderDescription } from '../calls.js';
import type { SparseVector, VectorKind } from '../options.js';
import { jsonFile, modulesFile, readFile, settingsFile } from './files.js';
import { type LayerTensor, type LinearLayer, linearLayer } from './linear_layer.js';

type Head = Exclude<VectorKind, 'dense'>;

const folder = '1_Dense';
const maxTokens = 8192;
/** A layer of 4096 inputs and outputs in float32. */
const maxBytes = 1 << 26;

/** For each kind of vectors: the file, and the tokens without a vector. */
const heads: Readonly<Record<Head, { file: string; skipped: readonly string[] }>> = {
  multi: { file: 'colbert_linear.pt', skipped: ['<s>'] },
  sparse: { file: 'sparse_linear.pt', skipped: ['<s>', '</s>', '<pad>', '<unk>'] },
};

/** The name of its file. */
export const headFile = (head: VectorKind): string => heads[head as Head].file;

/** The files of a folder of PyLate. */
export async function headFiles(
  files: readonly ModelFile[],
  head: Head,
  signal: AbortSignal | undefined,
): Promise<ModelFile[]> {
  const { file, skipped } = heads[head];
  const layer = linearLayer(await readFile(files, file, maxBytes, signal), file);
  const { weight, bias } = head === 'sparse' ? withScale(layer) : layer;
  const [outputs, inputs] = weight.shape;
  const made = [
    jsonFile(modulesFile, [
      { path: '', type: 'Transformer' },
      { path: folder, type: 'Dense' },
    ]),
    jsonFile(`${folder}/config.json`, { in_features: inputs, out_features: outputs, activation_function: 'Identity' }),
    jsonFile(settingsFile, {
      ...{ query_prefix: '', document_prefix: '', query_length: maxTokens, document_length: maxTokens },
      do_query_expansion: false,
      skiplist_words: skipped,
    }),
    { name: `${folder}/model.safetensors`, source: safetensors({ 'linear.weight': weight, 'linear.bias': bias }) },
  ];
  const replaced = [...made.map(({ name }) => name), ...Object.values(heads).map((each) => each.file)];
  return [...files.filter(({ name }) => !replaced.includes(name)), ...made];
}

/** Replaces the engine's description of such a folder by that of the head. */
export function describeHead(description: EmbedderDescription, head: VectorKind): void {
  const { usage, info } = description;
  usage.vectors = head;
  usage.isFurtherHead = true;
  if (head === 'sparse') description.dimension = info.tokenizer?.size ?? 0;
}

/** The engine scales vectors to length 1. A second element, which is 1 before that, keeps the weight of a token. */
function withScale({ weight, bias }: LinearLayer): LinearLayer {
  const { dtype, shape, bytes } = weight;
  const [outputs, inputs] = shape as [number, number];
  if (outputs !== 1)
    throw new QuintetError('FORMAT', `${heads.sparse.file}: ${outputs} outputs, expected 1`, { reason: 'mismatch' });
  const one = bias.dtype === 'F16' ? [0, 0x3c] : [0, 0, 0x80, 0x3f];
  return {
    weight: { dtype, shape: [2, inputs], bytes: joined([bytes, new Uint8Array(bytes.length)]) },
    bias: { dtype: bias.dtype, shape: [2], bytes: joined([bias.bytes, Uint8Array.from(one)]) },
  };
}

/** The largest weight of each token that is above 0. `kept`: those with vectors; `ids`: all of the text. */
export function tokenWeights(kept: Int32Array, vectors: Float32Array, ids: Int32Array): SparseVector {
  const weights = new Map<number, number>();
  kept.forEach((token, i) => {
    const weight = vectors[2 * i]! / vectors[2 * i + 1]!;
    const id = ids[token]!;
    if (weight > (weights.get(id) ?? 0)) weights.set(id, weight);
  });
  const indices = Int32Array.from(weights.keys()).sort();
  return { indices, values: Float32Array.from(indices, (id) => weights.get(id)!) };
}

function safetensors(tensors: Record<string, LayerTensor>): Uint8Array<ArrayBuffer> {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => [
    name,
    { dtype, shape, data_offsets: [at, (at += bytes.length)] },
  ]);
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setUint32(0, header.length, true);
  return joined([length, header, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
