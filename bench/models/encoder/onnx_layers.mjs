// The two ways in which published ONNX models store a linear layer and an embedding table.
import { DataType } from '../files/onnx_graph.mjs';

/** Floats, as `optimum-cli export onnx` writes them. */
export class FloatLayers {
  #graph;

  constructor(graph) {
    this.#graph = graph;
  }

  linear(input, name, weight, bias) {
    const [outputs, inputs] = weight.shape;
    this.#graph.floats(`${name}.weight`, [inputs, outputs], transpose(weight));
    return withBias(this.#graph, this.#graph.node('MatMul', [input, `${name}.weight`]), name, bias);
  }

  embedding(ids, name, table) {
    this.#graph.floats(name, table.shape, table.data);
    return this.#graph.node('Gather', [name, ids]);
  }
}

// ONNX Runtime's dynamic quantization with `reduce_range`, which model_quantized.onnx of sentence embedders was made
// with: weights keep 7 bits, so that pairs of products fit the 16-bit sums of some instruction sets.
const WEIGHT_MAXIMUM = 63;

/** Weights in int8 per output channel, activations quantized at run time: as in model_quantized.onnx. */
export class QuantizedLayers {
  #graph;
  #weightMaximum;
  #quantizedInputs = new Map();

  constructor(graph, { weightMaximum = WEIGHT_MAXIMUM } = {}) {
    this.#graph = graph;
    this.#weightMaximum = weightMaximum;
  }

  linear(input, name, weight, bias) {
    const graph = this.#graph;
    const [outputs, inputs] = weight.shape;
    const channels = quantizeChannels(weight, this.#weightMaximum);
    graph.initializer(`${name}.weight_quantized`, DataType.INT8, [inputs, outputs], channels.values);
    graph.floats(`${name}.weight_scale`, [outputs], channels.scales);
    graph.initializer(`${name}.weight_zero_point`, DataType.INT8, [outputs], new Int8Array(outputs));

    const [quantized, scale, zeroPoint] = this.quantized(input);
    const weights = [`${name}.weight_quantized`, zeroPoint, `${name}.weight_zero_point`];
    const sums = graph.node('Cast', [graph.node('MatMulInteger', [quantized, ...weights])], {
      to: DataType.FLOAT,
    });
    const scales = graph.node('Mul', [scale, `${name}.weight_scale`]);
    return withBias(graph, graph.node('Mul', [sums, scales]), name, bias);
  }

  embedding(ids, name, table) {
    const graph = this.#graph;
    const { values, scale, zeroPoint } = quantizeTable(table);
    graph.initializer(`${name}_quantized`, DataType.UINT8, table.shape, values);
    graph.floats(`${name}_scale`, [], [scale]);
    graph.initializer(`${name}_zero_point`, DataType.UINT8, [], Uint8Array.of(zeroPoint));
    const rows = graph.node('Gather', [`${name}_quantized`, ids]);
    return graph.node('DequantizeLinear', [rows, `${name}_scale`, `${name}_zero_point`]);
  }

  /** [values, scale, zero point]. Query, key and value read the same input: it is quantized once. */
  quantized(input) {
    let outputs = this.#quantizedInputs.get(input);
    if (!outputs) {
      outputs = ['quantized', 'scale', 'zero_point'].map((part) => `${input}_${part}`);
      this.#graph.nodeWithOutputs('DynamicQuantizeLinear', [input], outputs);
      this.#quantizedInputs.set(input, outputs);
    }
    return outputs;
  }
}

/** Precision -> makes the layers of a graph. */
export const LAYERS = { fp32: (graph) => new FloatLayers(graph), int8: (graph) => new QuantizedLayers(graph) };

/** Some models have none. */
function withBias(graph, product, name, bias) {
  if (!bias) return product;
  graph.floats(`${name}.bias`, bias.shape, bias.data);
  return graph.node('Add', [product, `${name}.bias`]);
}

// PyTorch's [outputs, inputs] to the [inputs, outputs] that MatMul expects.
function transpose({ shape: [rows, cols], data }) {
  const transposed = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) transposed[col * rows + row] = data[row * cols + col];
  }
  return transposed;
}

function quantizeChannels({ shape: [outputs, inputs], data }, weightMaximum) {
  const values = new Int8Array(data.length);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = data.subarray(output * inputs, (output + 1) * inputs);
    const largest = row.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    scales[output] = largest / weightMaximum;
    for (let input = 0; input < inputs; input++) {
      values[input * outputs + output] = Math.round(row[input] / scales[output]);
    }
  }
  return { values, scales };
}

function quantizeTable({ data }) {
  let smallest = 0;
  let largest = 0;
  for (const value of data) {
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
  }
  const scale = (largest - smallest) / 255;
  const zeroPoint = Math.round(-smallest / scale);
  const values = Uint8ClampedArray.from(data, (value) => Math.round(value / scale) + zeroPoint);
  return { values, scale, zeroPoint };
}
