// The files of an encoder's shape from one set of random weights, made once: a folder of Hugging Face, and ONNX as
// float32 and int8.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MADE } from '../../harness/paths.mjs';
import { hashOfCode, makeOnce } from '../files/make_once.mjs';
import { normal, uniform } from '../files/random.mjs';
import { randomBert } from './bert.mjs';
import { writeOnnx } from './bert_onnx.mjs';
import { writeHuggingFaceFolder } from './hugging_face_folder.mjs';
import { VOCABULARY_FILE } from './minilm.mjs';
import { modernBertConfig, randomModernBert } from './modern_bert.mjs';
import { writeModernBertOnnx } from './modern_bert_onnx.mjs';
import { FloatLayers, QuantizedLayers } from './onnx_layers.mjs';

/** `longestText`: in tokens. Gives the paths { folder, onnx: { fp32, int8 } }, and the weights of a reranker's head. */
export async function prepareModel({ name, shape, modern = false, ranks = false }, longestText) {
  const folder = join(MADE, 'encoder', name);
  const onnx = { fp32: join(folder, 'onnx/model.onnx'), int8: join(folder, 'onnx/model_quantized.onnx') };
  const head = ranks ? randomHead(shape) : undefined;
  const madeBy = `${JSON.stringify(shape)} ${await hashOfCode(import.meta.dirname)}`;
  await makeOnce(`the models of ${name}`, join(folder, '.made-by'), madeBy, async () => {
    const tensors = modern ? randomModernBert(shape) : randomBert(shape);
    await mkdir(join(folder, 'onnx'), { recursive: true });
    const write = modern ? writeModernBertOnnx : writeOnnx;
    write(onnx.fp32, shape, tensors, (graph) => new FloatLayers(graph), longestText);
    write(onnx.int8, shape, tensors, (graph) => new QuantizedLayers(graph), longestText);
    const all = head ? new Map([...tensors].map(([key, value]) => [`bert.${key}`, value]).concat([...head])) : tensors;
    await writeHuggingFaceFolder(folder, shape, all, VOCABULARY_FILE, modern ? modernBertConfig(shape) : undefined);
    if (head) await makeReranker(join(folder, 'config.json'));
  });
  return { folder, onnx, head };
}

function randomHead({ hidden }) {
  const next = uniform(5);
  const tensor = (shape, deviation) => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { shape, data: normal(next, count, { deviation }) };
  };
  return new Map([
    ['bert.pooler.dense.weight', tensor([hidden, hidden], 0.05)],
    ['bert.pooler.dense.bias', tensor([hidden], 0.02)],
    ['classifier.weight', tensor([1, hidden], 0.1)],
    ['classifier.bias', tensor([1], 0.02)],
  ]);
}

async function makeReranker(file) {
  const config = {
    ...JSON.parse(await readFile(file, 'utf8')),
    architectures: ['BertForSequenceClassification'],
    id2label: { 0: 'LABEL_0' },
    sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity',
  };
  await writeFile(file, JSON.stringify(config));
}
