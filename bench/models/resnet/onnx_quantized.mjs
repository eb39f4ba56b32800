// Static quantization as ONNX Runtime's own tool writes it: pairs of QuantizeLinear and DequantizeLinear (QDQ), from
// which the runtime makes operators on integers. Activations in uint8, weights in int8 per channel: "u8s8".
import { DataType } from '../files/onnx_graph.mjs';

const WEIGHT_MAXIMUM = 127;

export class QuantizedForm {
  #graph;
  #tensors;
  #ranges;
  /** Of a value of the graph: { scale, zeroPoint }. */
  #quantizations = new Map();

  /** `ranges`: scales and zero points of activations, as static_ranges.mjs reads them. */
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

  /** Of an operation that only moves or averages values. */
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
