// Makes every model file of the benchmark from one set of random weights, once: some 20 seconds and 250 MB under
// build/. They are made again when the code in this folder changes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { MODEL_DIRECTORY, MODEL_FILES, quintetEntry, VOCABULARY_FILE } from '../paths.mjs';
import { randomBert } from './bert_weights.mjs';
import { writeHuggingFaceFolder } from './hugging_face_folder.mjs';
import { writeOnnx } from './onnx/bert.mjs';
import { MINILM } from './shape.mjs';

export async function prepareModels() {
  await makeOnce(
    'peer models',
    join(MODEL_DIRECTORY, '.made-by'),
    await hashOfThisFolder(),
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
  writeOnnx(MODEL_FILES.onnx.fp32, MINILM, tensors, { quantized: false });
  writeOnnx(MODEL_FILES.onnx.int8, MINILM, tensors, { quantized: true });
}

async function convert(quantize, file) {
  const { convert: convertModel } = await import(quintetEntry());
  const names = ['config.json', 'vocab.txt', 'model.safetensors'];
  const folder = Object.fromEntries(names.map((name) => [name, join(MODEL_DIRECTORY, name)]));
  const weights = convertModel(folder, { to: 'weights', quantize });
  await pipeline(Readable.fromWeb(weights), createWriteStream(file));
}

// `stampFile` is written last: a run that was interrupted starts again.
async function makeOnce(what, stampFile, stamp, make) {
  const made = await readFile(stampFile, 'utf8').catch(() => '');
  if (made === stamp) return;
  process.stderr.write(`making ${what}\n`);
  await make();
  await writeFile(stampFile, stamp);
}

async function hashOfThisFolder() {
  const entries = await readdir(import.meta.dirname, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(await readFile(file));
  return hash.digest('hex');
}
