// A ResNet as an ONNX graph. `Form` decides how parameters are stored, and what follows each activation: nothing
// (FloatForm), or its quantization (QuantizedForm).
import { readFile } from 'node:fs/promises';

import { DataType, GraphBuilder } from '../files/onnx_graph.mjs';
import { CLASSES, convolutions, INPUT_CHANNELS, INPUT_SIDE, padding } from './resnet.mjs';

/** DequantizeLinear per channel came with 13. */
const OPSET = 13;

export function writeOnnx(path, network, makeForm) {
  const graph = new GraphBuilder('resnet', OPSET);
  graph.input('image', DataType.FLOAT, [1, INPUT_CHANNELS, INPUT_SIDE, INPUT_SIDE]);
  graph.output('logits', DataType.FLOAT, [1, CLASSES]);
  graph.nodeWithOutputs('Identity', [addResNet(graph, network, makeForm(graph))], ['logits']);
  graph.write(path);
}

function addResNet(graph, { stem, blocks, linear }, form) {
  const conv = (x, layer) => {
    const y = graph.node('Conv', [x, ...form.parameters(layer, x)], windowAttributes(layer));
    return form.output(layer, layer.relu ? graph.node('Relu', [y]) : y);
  };
  const block = (x, { convs, downsample }, index) => {
    const y = convs.reduce(conv, x);
    const shortcut = downsample ? conv(x, downsample) : x;
    return form.sum(index, graph.node('Relu', [graph.node('Add', [y, shortcut])]));
  };

  let x = conv(form.image('image'), stem);
  x = form.like(x, graph.node('MaxPool', [x], windowAttributes({ kernel: 3, stride: 2 })));
  x = blocks.reduce(block, x);
  x = form.like(x, graph.node('GlobalAveragePool', [x]));
  x = form.like(x, graph.node('Flatten', [x], { axis: 1 }));
  return form.output(linear, graph.node('Gemm', [x, ...form.parameters(linear, x)], { transB: 1 }));
}

function windowAttributes(layer) {
  const { kernel, stride } = layer;
  return {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    pads: Array(4).fill(padding(layer)),
  };
}

/** Parameters in float32; activations as they are. */
export class FloatForm {
  #graph;
  #tensors;

  constructor(graph, tensors) {
    this.#graph = graph;
    this.#tensors = tensors;
  }

  parameters({ name }) {
    return [`${name}.weight`, `${name}.bias`].map((tensor) => {
      const { shape, data } = this.#tensors.get(tensor);
      return this.#graph.floats(tensor, shape, data);
    });
  }

  image(x) {
    return x;
  }

  output(layer, x) {
    return x;
  }

  sum(block, x) {
    return x;
  }

  like(other, x) {
    return x;
  }
}

const WEIGHT_MAXIMUM = 127;

/**
 * Static quantization as ONNX Runtime's own tool writes it: pairs of QuantizeLinear and DequantizeLinear (QDQ), from
 * which the runtime makes operators on integers. Activations in uint8, weights in int8 per channel: "u8s8".
 */
export class QuantizedForm {
  #graph;
  #tensors;
  #ranges;
  /** Map from a value of the graph to its { scale, zeroPoint }. */
  #quantizations = new Map();

  /** `ranges`: scales and zero points of activations, as readStaticRanges gives them. */
  constructor(graph, tensors, ranges) {
    this.#graph = graph;
    this.#tensors = tensors;
    this.#ranges = ranges;
  }

  parameters({ name }, input) {
    const weight = this.#tensors.get(`${name}.weight`);
    const bias = this.#tensors.get(`${name}.bias`);
    const channels = quantizeChannels(weight);
    const sumScales = channels.scales.map((scale) => scale * this.#quantizations.get(input).scale);
    const sums = Int32Array.from(bias.data, (value, i) => Math.round(value / sumScales[i]));
    return [
      this.#dequantized(`${name}.weight`, DataType.INT8, weight.shape, channels.values, channels.scales),
      this.#dequantized(`${name}.bias`, DataType.INT32, bias.shape, sums, sumScales),
    ];
  }

  image(x) {
    return this.#quantized(x, this.#ranges.image);
  }

  output({ name }, x) {
    return this.#quantized(x, this.#ranges.outputs.get(name));
  }

  sum(block, x) {
    return this.#quantized(x, this.#ranges.sums[block]);
  }

  /** Quantizes the output of an operation that only moves or averages the values of `other`. */
  like(other, x) {
    return this.#quantized(x, this.#quantizations.get(other));
  }

  #quantized(x, quantization) {
    const scale = this.#graph.floats(`${x}.scale`, [], [quantization.scale]);
    const zeroPoint = this.#graph.initializer(
      `${x}.zero_point`,
      DataType.UINT8,
      [],
      Uint8Array.of(quantization.zeroPoint),
    );
    const quantized = this.#graph.node('QuantizeLinear', [x, scale, zeroPoint]);
    const y = this.#graph.node('DequantizeLinear', [quantized, scale, zeroPoint]);
    this.#quantizations.set(y, quantization);
    return y;
  }

  #dequantized(name, type, shape, values, scales) {
    const graph = this.#graph;
    const zeros = new values.constructor(scales.length);
    const inputs = [
      graph.initializer(`${name}.quantized`, type, shape, values),
      graph.floats(`${name}.scales`, [scales.length], scales),
      graph.initializer(`${name}.zero_points`, type, [scales.length], zeros),
    ];
    return graph.node('DequantizeLinear', inputs, { axis: 0 });
  }
}

function quantizeChannels({ shape: [outputs], data }) {
  const values = new Int8Array(data.length);
  const scales = new Float32Array(outputs);
  const size = data.length / outputs;
  for (let output = 0; output < outputs; output++) {
    const channel = data.subarray(output * size, (output + 1) * size);
    scales[output] = channel.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / WEIGHT_MAXIMUM;
    for (let i = 0; i < size; i++) values[output * size + i] = Math.round(channel[i] / scales[output]);
  }
  return { values, scales };
}

const WORD = 4;
const HEADER_WORDS = 7;
const CONV_WORDS = 11;
const LINEAR_WORDS = 8;
/** Places of the output scale, which the zero point follows, in the records of convolutions and linear layers. */
const CONV_OUTPUT = 8;
const LINEAR_OUTPUT = 5;
/** The place in the activation table after the stem. */
const FIRST_COUNTER = 2;

/**
 * The quantization of activations that quintet's calibration found, so that peers get the same
 * (docs/formats/tinyruntime.md). Reads an sq8 file with a plain tail: { image, outputs: Map by layer's name, sums: [by
 * block] }, each { scale, zeroPoint }.
 */
export async function readStaticRanges(file, network) {
  const bytes = await readFile(file);
  const at = (word) => ({
    scale: bytes.readFloatLE(word * WORD),
    zeroPoint: bytes.readInt32LE((word + 1) * WORD),
  });
  const layers = convolutions(network);
  const linear = HEADER_WORDS + layers.length * CONV_WORDS;
  const activation = (index) => at(linear + LINEAR_WORDS + 2 * index);

  const outputs = new Map(layers.map(({ name }, i) => [name, at(HEADER_WORDS + i * CONV_WORDS + CONV_OUTPUT)]));
  outputs.set(network.linear.name, at(linear + LINEAR_OUTPUT));
  let counter = FIRST_COUNTER;
  const sums = network.blocks.map(({ convs, downsample }) => {
    counter += convs.length + (downsample ? 1 : 0) + 1;
    return activation(counter);
  });
  return { image: activation(0), outputs, sums };
}
