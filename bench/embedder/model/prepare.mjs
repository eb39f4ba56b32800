// Makes every model file of the benchmark from one set of random weights, once: some 20 seconds and 250 MB under
// build/. They are made again when the code in this folder changes.
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { hashOfCode, makeOnce } from '../../shared/model/make_once.mjs';
import { MODEL_DIRECTORY, MODEL_FILES, quintetEntry, VOCABULARY_FILE } from '../paths.mjs';
import { randomBert } from './bert_weights.mjs';
import { writeHuggingFaceFolder } from './hugging_face_folder.mjs';
import { writeOnnx } from './onnx/bert.mjs';
import { FloatLayers, QuantizedLayers } from './onnx/linear.mjs';
import { MINILM } from './shape.mjs';

export async function prepareModels() {
  await makeOnce(
    'peer models',
    join(MODEL_DIRECTORY, '.made-by'),
    await hashOfCode(import.meta.dirname),
    makePeerModels,
  );
  for (const [quantize, file] of [
    ['none', MODEL_FILES.quintet.fp32],
    ['int8-row', MODEL_FILES.quintet.int8],
  ]) {
    const source = await stat(join(MODEL_DIRECTORY, 'model.safetensors'));
    await makeOnce(file, `${file}.made-from`, String(source.mtimeMs), () =>
      convert(quantize, file),
    );
  }
}

async function makePeerModels() {
  const tensors = randomBert(MINILM);
  await writeHuggingFaceFolder(MODEL_DIRECTORY, MINILM, tensors, VOCABULARY_FILE);
  await mkdir(join(MODEL_DIRECTORY, 'onnx'), { recursive: true });
  writeOnnx(MODEL_FILES.onnx.fp32, MINILM, tensors, (graph) => new FloatLayers(graph));
  writeOnnx(MODEL_FILES.onnx.int8, MINILM, tensors, (graph) => new QuantizedLayers(graph));
}

async function convert(quantize, file) {
  const { convert: convertModel } = await import(quintetEntry());
  const names = ['config.json', 'vocab.txt', 'model.safetensors'];
  const folder = Object.fromEntries(names.map((name) => [name, join(MODEL_DIRECTORY, name)]));
  const weights = convertModel(folder, { to: 'weights', quantize });
  await pipeline(Readable.fromWeb(weights), createWriteStream(file));
}
