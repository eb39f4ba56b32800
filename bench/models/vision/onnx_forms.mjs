// The two ways in which published ONNX models store the weights of image networks.
import { FloatLayers, QuantizedLayers } from '../encoder/onnx_layers.mjs';
import { DataType } from '../files/onnx_graph.mjs';

export class FloatForm extends FloatLayers {
  #graph;

  constructor(graph) {
    super(graph);
    this.#graph = graph;
  }

  conv(x, layer, weight, bias) {
    return floatConv(this.#graph, x, layer, weight, bias);
  }
}

// onnxruntime's ConvInteger accepts weights in uint8 only, with one zero point.
const ZERO_POINT = 128;
const WEIGHT_MAXIMUM = 127;

/**
 * Activations are quantized at run time. Depthwise convolutions stay in float32: ConvInteger would compute each of
 * their channels as a separate matrix product, which is far slower.
 */
export class QuantizedForm extends QuantizedLayers {
  #graph;

  constructor(graph) {
    super(graph);
    this.#graph = graph;
  }

  conv(x, layer, weight, bias) {
    const graph = this.#graph;
    if (layer.groups > 1) return floatConv(graph, x, layer, weight, bias);
    const { name, channels } = layer;
    const { values, scales } = quantizeChannels(weight);
    graph.initializer(`${name}.weight_quantized`, DataType.UINT8, weight.shape, values);
    graph.floats(`${name}.weight_scale`, [1, channels, 1, 1], scales);
    graph.initializer(`${name}.weight_zero_point`, DataType.UINT8, [], Uint8Array.of(ZERO_POINT));
    graph.floats(`${name}.bias`, [1, channels, 1, 1], bias.data);

    const [quantized, scale, zeroPoint] = this.quantized(x);
    const inputs = [quantized, `${name}.weight_quantized`, zeroPoint, `${name}.weight_zero_point`];
    const sums = graph.node('Cast', [graph.node('ConvInteger', inputs, windowAttributes(layer))], {
      to: DataType.FLOAT,
    });
    const product = graph.node('Mul', [sums, graph.node('Mul', [scale, `${name}.weight_scale`])]);
    return graph.node('Add', [product, `${name}.bias`]);
  }
}

function floatConv(graph, x, layer, weight, bias) {
  const parameters = Object.entries({ weight, bias }).map(([part, { shape, data }]) =>
    graph.floats(`${layer.name}.${part}`, shape, data),
  );
  return graph.node('Conv', [x, ...parameters], windowAttributes(layer));
}

function windowAttributes({ kernel, stride, groups, padding: [before, after] }) {
  return {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    pads: [before, before, after, after],
    group: groups,
  };
}

function quantizeChannels({ shape: [outputs], data }) {
  const values = new Uint8Array(data.length);
  const scales = new Float32Array(outputs);
  const size = data.length / outputs;
  for (let output = 0; output < outputs; output++) {
    const channel = data.subarray(output * size, (output + 1) * size);
    scales[output] = channel.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / WEIGHT_MAXIMUM;
    for (let i = 0; i < size; i++) values[output * size + i] = ZERO_POINT + Math.round(channel[i] / scales[output]);
  }
  return { values, scales };
}
