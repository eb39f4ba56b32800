// Files for the comparison of the benchmark page: the bundled embedder as an ONNX file; a small classifier, also as
// ONNX, and pictures as it sees them; and the download size of each library.
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { features } from '../../npm/features.mjs';
import { scriptsOfPage } from '../../tools/build/page_scripts.mjs';
import { dist, root } from '../../tools/build/paths.mjs';
import { comparison, web } from './paths.mjs';

const compress = promisify(gzip);
/** A network of 8-bit integers, which both libraries compute in integers, and a drawing of each of its classes. */
const tenClasses = `${root}tests/fixtures/cifar10/`;
const onnxRuntime = `${web}node_modules/onnxruntime-web/dist/`;

export async function makeComparison() {
  await mkdir(comparison, { recursive: true });
  // They import the package, which is built by now.
  const { writeEmbedderOnnx } = await import('../models/embedder_onnx.mjs');
  const { writeClassifierOnnx } = await import('../models/classifier_onnx.mjs');
  await writeEmbedderOnnx(`${comparison}embedder.onnx`);
  const classifier = `${tenClasses}resnet20-cifar10.bin`;
  await writeClassifierOnnx(classifier, `${comparison}classifier.onnx`);
  await copyFile(classifier, `${comparison}classifier.bin`);
  await writeFile(`${comparison}pictures.f32`, await preparedDrawings(classifier));
  await writeFile(`${comparison}downloads.json`, JSON.stringify(await downloads()));
}

/** Red, green and blue planes, one drawing after another. */
async function preparedDrawings(model) {
  const { ImageClassifier } = await import('../../dist/node.js');
  const classifier = await ImageClassifier.load(model);
  const prepared = [];
  for (const name of (await readdir(`${tenClasses}drawings`)).sort()) {
    const { data } = await classifier.prepare(await readFile(`${tenClasses}drawings/${name}`));
    prepared.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  classifier.close();
  return Buffer.concat(prepared);
}

/** The downloads of a page for sentence embeddings, in bytes, compressed with gzip -9. */
async function downloads() {
  const scripts = scriptsOfPage(features.find(({ folder }) => folder === 'embed')).map((name) => `${dist}${name}`);
  return {
    quintet: {
      scripts: await compressed(scripts),
      module: await compressed([`${dist}quintet-embedder-relaxed.wasm`]),
      model: await compressed([`${root}models/embedder-int8.weights`]),
    },
    'onnxruntime-web': {
      scripts: await compressed(
        ['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs'].map((name) => `${onnxRuntime}${name}`),
      ),
      module: await compressed([`${onnxRuntime}ort-wasm-simd-threaded.wasm`]),
      model: await compressed([`${comparison}embedder.onnx`]),
    },
  };
}

async function compressed(files) {
  const sizes = await Promise.all(
    files.map(async (file) => (await compress(await readFile(file), { level: 9 })).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
