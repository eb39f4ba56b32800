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

const LINEAR_LAYERS = join(import.meta.dirname, '../encoder/onnx_layers.mjs');

/** Those whose layers the contestant of TensorFlow.js has. */
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
