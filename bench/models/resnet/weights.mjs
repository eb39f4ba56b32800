import { normal, uniform } from '../files/random.mjs';
import { convolutions } from './resnet.mjs';

const BIAS_DEVIATION = 0.02;

/**
 * All tensors of a network by torchvision's names, batch norms folded: Map of name -> { shape, data }, weights of
 * convolutions [outputs, inputs, rows, columns]. Their scale (He et al. 2015, arXiv:1502.01852) keeps activations near
 * unit variance behind every layer.
 */
export function randomResNet(network, seed = 1) {
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

/** The same in the layouts of TensorFlow: convolutions [rows, columns, inputs, outputs], linear layers [inputs, outputs]. */
export function withOutputsLast(tensors) {
  return new Map(Array.from(tensors, ([name, tensor]) => [name, outputsLast(tensor)]));
}

function outputsLast({ shape, data }) {
  if (shape.length === 1) return { shape, data };
  const [outputs, inputs, ...window] = shape;
  const area = window.reduce((product, size) => product * size, 1);
  const values = new Float32Array(data.length);
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      for (let i = 0; i < area; i++) {
        values[(i * inputs + input) * outputs + output] = data[(output * inputs + input) * area + i];
      }
    }
  }
  return { shape: [...window, inputs, outputs], data: values };
}
