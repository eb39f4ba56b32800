// The files of a network, all from one set of random weights: made once, 1.1 GB for all of them. They are made again
// when the code in this folder changes.
import { join } from 'node:path';

import { MADE } from '../../harness/paths.mjs';
import { hashOfCode, makeOnce } from '../files/make_once.mjs';
import { outputsLast } from '../files/outputs_last.mjs';
import { writeSafetensors } from '../files/safetensors.mjs';
import { visionNetwork } from './networks.mjs';
import { writeOnnx } from './onnx.mjs';
import { FloatForm, QuantizedForm } from './onnx_forms.mjs';
import { foldedConv, randomTensors } from './tensors.mjs';
import { twoTowers } from './towers.mjs';

const LINEAR_LAYERS = join(import.meta.dirname, '../encoder/onnx_layers.mjs');

/** Networks whose layers the contestant of TensorFlow.js has. */
const IN_TENSORFLOW = ['MobileNetV2', 'EfficientNet-B0'];

/** The files of a network, which have equal weights in every form. */
export function visionFiles(network) {
  const fileOf = (ending) => join(MADE, 'cnn', `${network.replaceAll('/', '-')}${ending}`);
  return {
    stamp: fileOf('.made-by'),
    quintet: { fp32: fileOf('.safetensors') },
    onnx: { fp32: fileOf('.onnx'), int8: fileOf('-dynamic.onnx') },
    tfjs: IN_TENSORFLOW.includes(network) ? fileOf('-outputs-last.safetensors') : undefined,
  };
}

export async function prepareVision(networks) {
  const stamp = await hashOfCode(import.meta.dirname, LINEAR_LAYERS);
  for (const name of networks) {
    await makeOnce(`the files of ${name}`, visionFiles(name).stamp, stamp, () => makeModels(name));
  }
}

/** The files of a model of two towers: of quintet one with both, of onnxruntime one each, as exporters write them. */
export function towerFiles(model) {
  const fileOf = (ending) => join(MADE, 'towers', `${model.replaceAll(/[ /]/g, '-')}${ending}`);
  const onnx = (tower) => ({ fp32: fileOf(`-${tower}.onnx`), int8: fileOf(`-${tower}-dynamic.onnx`) });
  return {
    stamp: fileOf('.made-by'),
    quintet: fileOf('.safetensors'),
    onnx: { image: onnx('image'), text: onnx('text') },
  };
}

export async function prepareTowers(models) {
  const stamp = await hashOfCode(import.meta.dirname, LINEAR_LAYERS);
  for (const model of models) {
    await makeOnce(`the files of ${model}`, towerFiles(model).stamp, stamp, () => makeTowers(model));
  }
}

async function makeTowers(model) {
  const files = towerFiles(model);
  const { config, towers } = twoTowers(model);
  const tensors = { image: randomTensors(towers.image, 1), text: randomTensors(towers.text, 2) };
  const scale = ['logit_scale', { shape: [1], data: Float32Array.of(Math.log(100)) }];
  await writeSafetensors(files.quintet, new Map([scale, ...tensors.image, ...tensors.text]), {
    'config.json': JSON.stringify(config),
  });
  for (const tower of ['image', 'text']) {
    writeOnnx(files.onnx[tower].fp32, towers[tower], tensors[tower], FloatForm);
    writeOnnx(files.onnx[tower].int8, towers[tower], tensors[tower], QuantizedForm);
  }
}

async function makeModels(name) {
  const files = visionFiles(name);
  const { config, layers } = visionNetwork(name);
  const tensors = randomTensors(layers);
  await writeSafetensors(files.quintet.fp32, tensors, { 'config.json': JSON.stringify(config) });
  writeOnnx(files.onnx.fp32, layers, tensors, FloatForm);
  writeOnnx(files.onnx.int8, layers, tensors, QuantizedForm);
  if (files.tfjs) await writeSafetensors(files.tfjs, tensorFlowTensors(layers, tensors));
}

/** Batch norms are folded. A depthwise filter is [rows, columns, channels, 1]. */
function tensorFlowTensors(layers, tensors) {
  const laidOut = new Map();
  for (const layer of layers.filter(({ kind }) => kind === 'conv' || kind === 'linear')) {
    const { weight, bias } = foldedConv(tensors, layer);
    const { shape, data } = outputsLast(weight);
    const [rows, columns, inputs, outputs] = shape;
    laidOut.set(`${layer.name}.weight`, { shape: layer.groups > 1 ? [rows, columns, outputs, inputs] : shape, data });
    laidOut.set(`${layer.name}.bias`, bias);
  }
  return laidOut;
}
