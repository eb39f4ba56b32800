// The files of the embedder benchmark, all from one set of random weights: made once, 20 seconds and 250 MB.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { MADE, REPOSITORY } from '../../harness/paths.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { MINILM, randomBert } from './bert.mjs';
import { writeOnnx } from './bert_onnx.mjs';
import { writeHuggingFaceFolder } from './hugging_face_folder.mjs';
import { FloatLayers, QuantizedLayers } from './onnx_layers.mjs';

export const VOCABULARY_FILE = join(REPOSITORY, 'tests/fixtures/tokenizers/minilm/vocab.txt');
/** The folder from which transformers.js loads models by their names. */
export const MODELS_FOLDER = join(MADE, 'embedder');
export const MODEL_NAME = 'random-minilm';
const FOLDER = join(MODELS_FOLDER, MODEL_NAME);

export const MODEL_FILES = {
  quintet: { fp32: join(MODELS_FOLDER, 'minilm-fp32.weights'), int8: join(MODELS_FOLDER, 'minilm-int8.weights') },
  onnx: { fp32: join(FOLDER, 'onnx/model.onnx'), int8: join(FOLDER, 'onnx/model_quantized.onnx') },
};
const QUANTIZATIONS = { fp32: 'none', int8: 'int8-row' };

export async function prepareModels() {
  await makeOnce('peer models', join(FOLDER, '.made-by'), await hashOfCode(import.meta.dirname), makePeerModels);
  const names = ['config.json', 'vocab.txt', 'model.safetensors'];
  const source = Object.fromEntries(names.map((name) => [name, join(FOLDER, name)]));
  const { mtimeMs } = await stat(source['model.safetensors']);
  for (const [precision, file] of Object.entries(MODEL_FILES.quintet)) {
    const options = { to: 'weights', quantize: QUANTIZATIONS[precision] };
    await makeOnce(file, `${file}.made-from`, String(mtimeMs), () => convertTo(file, source, options));
  }
}

async function makePeerModels() {
  const tensors = randomBert(MINILM);
  await writeHuggingFaceFolder(FOLDER, MINILM, tensors, VOCABULARY_FILE);
  await mkdir(join(FOLDER, 'onnx'), { recursive: true });
  writeOnnx(MODEL_FILES.onnx.fp32, MINILM, tensors, (graph) => new FloatLayers(graph));
  writeOnnx(MODEL_FILES.onnx.int8, MINILM, tensors, (graph) => new QuantizedLayers(graph));
}
