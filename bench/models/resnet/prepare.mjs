// The files of a ResNet, all from one set of random weights: made once, 500 MB. They are made again when the code in
// this folder or quintet's converter changes.
import { join } from 'node:path';

import { MADE, REPOSITORY } from '../../harness/paths.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { writeSafetensors } from '../files/safetensors.mjs';
import { FloatForm, writeOnnx } from './onnx.mjs';
import { QuantizedForm } from './onnx_quantized.mjs';
import { picture } from './picture.mjs';
import { resnet } from './resnet.mjs';
import { readStaticRanges } from './static_ranges.mjs';
import { randomResNet, withOutputsLast } from './weights.mjs';

const CONVERTER = join(REPOSITORY, 'dist/quintet-files.wasm');
/** Of quintet's files to what `convert` is asked for. */
const QUANTIZATIONS = { fp32: 'none', dq8: 'dq8', sq8: 'sq8' };
/** Seeds of the pictures for calibration, others than those that are classified. */
const CALIBRATION_PICTURES = [101, 102, 103, 104, 105, 106, 107, 108];
/** So large that their middle is cut out as it is. */
const CALIBRATION_SIDE = 256;

const fileOf = (name) => join(MADE, 'cnn', name);
export const pictureFile = fileOf;

/** The same weights in every form. */
export const modelFiles = (network) => ({
  stamp: fileOf(`${network}.made-by`),
  safetensors: fileOf(`${network}.safetensors`),
  quintet: {
    fp32: fileOf(`${network}-vanilla.bin`),
    sq8: fileOf(`${network}-sq8.bin`),
    dq8: fileOf(`${network}-dq8.bin`),
  },
  onnx: { fp32: fileOf(`${network}.onnx`), int8: fileOf(`${network}-u8s8.onnx`) },
  tfjs: fileOf(`${network}-outputs-last.safetensors`),
});

export async function prepareModels(networks) {
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
  const calibration = CALIBRATION_PICTURES.map((seed) => picture(seed, CALIBRATION_SIDE, CALIBRATION_SIDE));
  for (const [form, quantize] of Object.entries(QUANTIZATIONS)) {
    const options = { to: 'tinyruntime', quantize, ...(quantize === 'sq8' ? { calibration } : {}) };
    await convertTo(files.quintet[form], files.safetensors, options);
  }
  const ranges = await readStaticRanges(files.quintet.sq8, network);
  writeOnnx(files.onnx.fp32, network, (graph) => new FloatForm(graph, tensors));
  writeOnnx(files.onnx.int8, network, (graph) => new QuantizedForm(graph, tensors, ranges));
  await writeSafetensors(files.tfjs, withOutputsLast(tensors));
}
