// The files of a ResNet, all from one set of random weights: made once, 500 MB. They are made again when the code in
// this folder or quintet's converter changes.
import { join } from 'node:path';

import { MADE, REPOSITORY } from '../../harness/paths.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { outputsLast } from '../files/outputs_last.mjs';
import { normal, uniform } from '../files/random.mjs';
import { writeSafetensors } from '../files/safetensors.mjs';
import { FloatForm, QuantizedForm, readStaticRanges, writeOnnx } from './onnx.mjs';
import { convolutions, picture, resnet } from './resnet.mjs';

const CONVERTER = join(REPOSITORY, 'dist/quintet-files.wasm');
/** Values of the option `quantize` of `convert`, by the form of quintet's file. */
const QUANTIZATIONS = { fp32: 'none', dq8: 'dq8', sq8: 'sq8' };
/** Seeds of the pictures for calibration, different from those that are classified. */
const CALIBRATION_PICTURES = [101, 102, 103, 104, 105, 106, 107, 108];
/** Large enough that their middle is cut out unchanged. */
const CALIBRATION_SIDE = 256;

const fileOf = (name) => join(MADE, 'cnn', name);
export const pictureFile = fileOf;

/** The files of a network, which have equal weights in every form. */
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
  const stamp = await hashOfCode(import.meta.dirname, CONVERTER);
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

const BIAS_DEVIATION = 0.02;

/**
 * All tensors of a network by torchvision's names, batch norms folded: Map of name -> { shape, data }, weights of
 * convolutions [outputs, inputs, rows, columns]. Their scale (He et al. 2015, arXiv:1502.01852) keeps activations near
 * unit variance after every layer.
 */
function randomResNet(network, seed = 1) {
  const next = uniform(seed);
  const tensors = new Map();
  const add = (name, shape, deviation) => {
    const count = shape.reduce((product, size) => product * size, 1);
    tensors.set(name, { shape, data: normal(next, count, { deviation }) });
  };
  for (const { name, inputs, outputs, kernel, gain } of convolutions(network)) {
    const deviation = gain * Math.sqrt(2 / (inputs * kernel * kernel));
    add(`${name}.weight`, [outputs, inputs, kernel, kernel], deviation);
    add(`${name}.bias`, [outputs], BIAS_DEVIATION);
  }
  const { name, inputs, outputs } = network.linear;
  add(`${name}.weight`, [outputs, inputs], Math.sqrt(1 / inputs));
  add(`${name}.bias`, [outputs], BIAS_DEVIATION);
  return tensors;
}

function withOutputsLast(tensors) {
  return new Map(Array.from(tensors, ([name, tensor]) => [name, outputsLast(tensor)]));
}
