// Makes every model file of the benchmark from one set of random weights, once: 500 MB under build/. They are made again
// when the code in this folder or quintet's converter changes.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { hashOfCode, makeOnce } from '../../shared/model/make_once.mjs';
import { writeSafetensors } from '../../shared/model/safetensors.mjs';
import { CONVERTER, modelFiles, MODELS_ROOT, quintetEntry } from '../paths.mjs';
import { FloatForm } from './onnx/float.mjs';
import { QuantizedForm } from './onnx/quantized.mjs';
import { writeOnnx } from './onnx/resnet.mjs';
import { picture } from './picture.mjs';
import { resnet } from './resnet.mjs';
import { readStaticRanges } from './static_ranges.mjs';
import { randomResNet, withOutputsLast } from './weights.mjs';

/** Of quintet's files to what `convert` is asked for. */
const QUANTIZATIONS = { fp32: 'none', dq8: 'dq8', sq8: 'sq8' };
/** Seeds of the pictures for calibration, others than those that are classified. */
const CALIBRATION_PICTURES = [101, 102, 103, 104, 105, 106, 107, 108];
/** So large that their middle is cut out as it is. */
const CALIBRATION_SIDE = 256;

export async function prepareModels(networks) {
  await mkdir(MODELS_ROOT, { recursive: true });
  const stamp = await hashOfCode(import.meta.dirname, [CONVERTER]);
  for (const name of networks) {
    await makeOnce(`the files of ${name}`, modelFiles(name).stamp, stamp, () => makeModels(name));
  }
}

async function makeModels(name) {
  const files = modelFiles(name);
  const network = resnet(name);
  const tensors = randomResNet(network);
  await writeSafetensors(files.safetensors, tensors);
  for (const [form, quantize] of Object.entries(QUANTIZATIONS)) {
    await convert(files.safetensors, quantize, files.quintet[form]);
  }
  const ranges = await readStaticRanges(files.quintet.sq8, network);
  writeOnnx(files.onnx.fp32, network, (graph) => new FloatForm(graph, tensors));
  writeOnnx(files.onnx.int8, network, (graph) => new QuantizedForm(graph, tensors, ranges));
  await writeSafetensors(files.tfjs, withOutputsLast(tensors));
}

async function convert(source, quantize, file) {
  const { convert: convertModel } = await import(quintetEntry());
  const calibration = CALIBRATION_PICTURES.map((seed) => picture(seed, CALIBRATION_SIDE, CALIBRATION_SIDE));
  const options = { to: 'tinyruntime', quantize, ...(quantize === 'sq8' ? { calibration } : {}) };
  await pipeline(Readable.fromWeb(convertModel(source, options)), createWriteStream(file));
}
