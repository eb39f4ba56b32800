// A network as an ONNX graph, its operators those that exporters write. `Form` decides how weights of convolutions and
// linear layers are stored.
import { DataType, float, GraphBuilder } from '../files/onnx_graph.mjs';
import { INPUT_CHANNELS, INPUT_SIDE } from '../resnet/resnet.mjs';
import { foldedConv } from './tensors.mjs';

/** LayerNormalization came with 17. */
const OPSET = 17;

export function writeOnnx(path, layers, tensors, Form) {
  const graph = new GraphBuilder('vision', OPSET);
  const text = layers.find(({ kind }) => kind === 'embedding');
  if (text) graph.input('image', DataType.INT64, [1, text.count]);
  else graph.input('image', DataType.FLOAT, [1, INPUT_CHANNELS, INPUT_SIDE, INPUT_SIDE]);
  graph.output('logits', DataType.FLOAT, [1, layers.at(-1).channels]);
  const writer = new LayerWriter(graph, tensors, new Form(graph));
  /** Map from a layer to its value in the graph. */
  const values = new Map();
  for (const layer of layers) {
    const inputs = layer.inputs.map((input) => values.get(input) ?? 'image');
    values.set(layer, writer[layer.kind](layer, ...inputs));
  }
  graph.nodeWithOutputs('Identity', [values.get(layers.at(-1))], ['logits']);
  graph.write(path);
}

/** A method for each kind of layer. */
class LayerWriter {
  #graph;
  #tensors;
  #form;
  #scalars = new Set();

  constructor(graph, tensors, form) {
    this.#graph = graph;
    this.#tensors = tensors;
    this.#form = form;
  }

  conv(layer, x) {
    const { weight, bias } = foldedConv(this.#tensors, layer);
    return this.#activated(layer.activation, this.#form.conv(x, layer, weight, bias));
  }

  linear({ name, activation }, x) {
    const [weight, bias] = ['weight', 'bias'].map((part) => this.#tensors.get(`${name}.${part}`));
    return this.#activated(activation, this.#form.linear(x, name, weight, bias));
  }

  layerNorm({ name, epsilon }, x) {
    const parameters = ['weight', 'bias'].map((part) => this.#constant(`${name}.${part}`));
    return this.#graph.node('LayerNormalization', [x, ...parameters], { axis: -1, epsilon: float(epsilon) });
  }

  layerScale({ name }, x) {
    return this.#graph.node('Mul', [x, this.#constant(name)]);
  }

  sum(layer, x, y) {
    return this.#graph.node('Add', [x, y]);
  }

  gated(layer, x, factors) {
    return this.#graph.node('Mul', [x, factors]);
  }

  mean(layer, x) {
    return this.#graph.node('GlobalAveragePool', [x]);
  }

  flat(layer, x) {
    return this.#graph.node('Flatten', [x], { axis: 1 });
  }

  channelsLast(layer, x) {
    return this.#graph.node('Transpose', [x], { perm: [0, 2, 3, 1] });
  }

  channelsFirst(layer, x) {
    return this.#graph.node('Transpose', [x], { perm: [0, 3, 1, 2] });
  }

  tokens({ name, positions, channels }, x) {
    const planes = this.#reshaped(x, `${name}.planes`, [1, channels, -1]);
    const patches = this.#graph.node('Transpose', [planes], { perm: [0, 2, 1] });
    const tokens = this.#graph.node('Concat', [this.#constant(name), patches], { axis: 1 });
    return this.#graph.node('Add', [tokens, this.#constant(positions)]);
  }

  patches({ positions, channels }, x) {
    const planes = this.#reshaped(x, `${positions}.planes`, [1, channels, -1]);
    const patches = this.#graph.node('Transpose', [planes], { perm: [0, 2, 1] });
    return this.#graph.node('Add', [patches, this.#constant(positions)]);
  }

  embedding({ table, positions, channels, count }, ids) {
    const { data } = this.#tensors.get(positions);
    const rows = this.#graph.floats(positions, [1, count, channels], data.subarray(0, count * channels));
    return this.#graph.node('Add', [this.#form.embedding(ids, table, this.#tensors.get(table)), rows]);
  }

  probe({ name, heads, channels }, x) {
    const [{ data: weight }, { data: bias }] = ['weight', 'bias'].map((part) =>
      this.#tensors.get(`${name}.attention.in_proj_${part}`),
    );
    const probe = this.#constant(`${name}.probe`);
    const [query, key, value] = [probe, x, x].map((input, i) => {
      const size = channels * channels;
      return this.#form.linear(
        input,
        `${name}.attention.in_proj_${i}`,
        { shape: [channels, channels], data: weight.subarray(i * size, (i + 1) * size) },
        { shape: [channels], data: bias.subarray(i * channels, (i + 1) * channels) },
      );
    });
    return this.attention({ heads, channels, inputs: [{ name }] }, query, key, value);
  }

  lastToken(layer, x) {
    return this.#graph.node('Gather', [x, this.#graph.integer('last_token', -1)], { axis: 1 });
  }

  attention({ heads, channels, causal, count, inputs: [{ name }] }, query, key, value) {
    const graph = this.#graph;
    const size = channels / heads;
    const split = (x, part, perm) =>
      graph.node('Transpose', [this.#reshaped(x, `${name}.${part}`, [1, -1, heads, size])], { perm });
    const product = graph.node('MatMul', [split(query, 'query', [0, 2, 1, 3]), split(key, 'key', [0, 2, 3, 1])]);
    const scaled = graph.node('Div', [product, this.#scalar(Math.sqrt(size))]);
    const scores = causal ? graph.node('Add', [scaled, this.#causalMask(count)]) : scaled;
    const weights = graph.node('Softmax', [scores], { axis: 3 });
    const context = graph.node('MatMul', [weights, split(value, 'value', [0, 2, 1, 3])]);
    const rows = graph.node('Transpose', [context], { perm: [0, 2, 1, 3] });
    return this.#reshaped(rows, `${name}.joined`, [1, -1, channels]);
  }

  classToken(layer, x) {
    return this.#graph.node('Gather', [x, this.#graph.integer('class_token', 0)], { axis: 1 });
  }

  #activated(activation, x) {
    const graph = this.#graph;
    switch (activation) {
      case 'none':
        return x;
      case 'relu6':
        return graph.node('Clip', [x, this.#scalar(0), this.#scalar(6)]);
      case 'sigmoid':
        return graph.node('Sigmoid', [x]);
      case 'silu':
        return graph.node('Mul', [x, graph.node('Sigmoid', [x])]);
      case 'quick_gelu':
        return graph.node('Mul', [x, graph.node('Sigmoid', [graph.node('Mul', [x, this.#scalar(1.702)])])]);
      case 'gelu_tanh': {
        const cube = graph.node('Pow', [x, this.#scalar(3)]);
        const sum = graph.node('Add', [x, graph.node('Mul', [cube, this.#scalar(0.044715)])]);
        const tanh = graph.node('Tanh', [graph.node('Mul', [sum, this.#scalar(Math.sqrt(2 / Math.PI))])]);
        return graph.node('Mul', [
          graph.node('Mul', [x, this.#scalar(0.5)]),
          graph.node('Add', [tanh, this.#scalar(1)]),
        ]);
      }
      case 'gelu': {
        const erf = graph.node('Erf', [graph.node('Div', [x, this.#scalar(Math.SQRT2)])]);
        return graph.node('Mul', [
          graph.node('Mul', [x, graph.node('Add', [erf, this.#scalar(1)])]),
          this.#scalar(0.5),
        ]);
      }
      default:
        throw new Error(`no activation '${activation}'`);
    }
  }

  #causalMask(count) {
    const name = `causal_${count}`;
    if (!this.#scalars.has(name)) {
      const mask = Float32Array.from({ length: count * count }, (_, i) => (i % count > i / count ? -3e38 : 0));
      this.#graph.floats(name, [1, 1, count, count], mask);
    }
    this.#scalars.add(name);
    return name;
  }

  #reshaped(x, name, shape) {
    return this.#graph.node('Reshape', [x, this.#graph.integers(`${name}.shape`, shape)]);
  }

  #scalar(value) {
    const name = `scalar_${value}`;
    if (!this.#scalars.has(name)) this.#graph.floats(name, [], [value]);
    this.#scalars.add(name);
    return name;
  }

  #constant(name) {
    const { shape, data } = this.#tensors.get(name);
    return this.#graph.floats(name, shape, data);
  }
}
