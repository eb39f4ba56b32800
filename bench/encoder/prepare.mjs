// Makes the files of a shape from one set of random weights, once: a folder of Hugging Face, and ONNX as float32 and int8.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBert } from '../embedder/model/bert_weights.mjs';
import { writeHuggingFaceFolder } from '../embedder/model/hugging_face_folder.mjs';
import { writeOnnx } from '../embedder/model/onnx/bert.mjs';
import { FloatLayers, QuantizedLayers } from '../embedder/model/onnx/linear.mjs';
import { VOCABULARY_FILE } from '../embedder/paths.mjs';
import { hashOfCode, makeOnce } from '../shared/model/make_once.mjs';
import { normal, uniform } from '../shared/model/random.mjs';
import { REPOSITORY } from '../shared/paths.mjs';
import { LONGEST_TEXT } from './jobs.mjs';
import { writeModernBertOnnx } from './modern_bert/onnx.mjs';
import { modernBertConfig, randomModernBert } from './modern_bert/weights.mjs';

const modernBert = ['onnx.mjs', 'weights.mjs'].map((file) => join(import.meta.dirname, 'modern_bert', file));

/** Gives the paths { folder, onnx: { fp32, int8 } }, and the weights of the head of a reranker. */
export async function prepareModel({ name, shape, modern = false, ranks = false }) {
  const folder = join(REPOSITORY, 'build/bench/encoder', name);
  const onnx = { fp32: join(folder, 'onnx/model.onnx'), int8: join(folder, 'onnx/model_quantized.onnx') };
  const head = ranks ? randomHead(shape) : undefined;
  const models = join(import.meta.dirname, '../embedder/model');
  const madeBy = `${JSON.stringify(shape)} ${await hashOfCode(models, [import.meta.filename, ...modernBert])}`;
  await makeOnce(`the models of ${name}`, join(folder, '.made-by'), madeBy, async () => {
    const tensors = modern ? randomModernBert(shape) : randomBert(shape);
    await mkdir(join(folder, 'onnx'), { recursive: true });
    const write = modern ? writeModernBertOnnx : writeOnnx;
    write(onnx.fp32, shape, tensors, (graph) => new FloatLayers(graph), LONGEST_TEXT);
    write(onnx.int8, shape, tensors, (graph) => new QuantizedLayers(graph), LONGEST_TEXT);
    const all = head ? new Map([...tensors].map(([key, value]) => [`bert.${key}`, value]).concat([...head])) : tensors;
    await writeHuggingFaceFolder(folder, shape, all, VOCABULARY_FILE, modern ? modernBertConfig(shape) : undefined);
    if (head) await makeReranker(join(folder, 'config.json'));
  });
  return { folder, onnx, head };
}

function randomHead({ hidden }) {
  const next = uniform(5);
  const tensor = (shape, deviation) => ({ shape, data: normal(next, shape.reduce((all, size) => all * size, 1), { deviation }) });
  return new Map([
    ['bert.pooler.dense.weight', tensor([hidden, hidden], 0.05)],
    ['bert.pooler.dense.bias', tensor([hidden], 0.02)],
    ['classifier.weight', tensor([1, hidden], 0.1)],
    ['classifier.bias', tensor([1], 0.02)],
  ]);
}

async function makeReranker(file) {
  const config = JSON.parse(await readFile(file, 'utf8'));
  const activation = { sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity' };
  await writeFile(file, JSON.stringify({ ...config, architectures: ['BertForSequenceClassification'], id2label: { 0: 'LABEL_0' }, ...activation }));
}
