// The layers of a network: a list from which its tensors, its ONNX graph and its operations in
// TensorFlow.js are made. Without imports of Node: pages load it too.
import { INPUT_CHANNELS, INPUT_SIDE } from '../resnet/resnet.mjs';

const CLASS_TOKENS = 1;

/**
 * E[f(x)^2] where x has a normal distribution of unit variance. It is 0.36 for SiLU, but a larger part for larger
 * values, which would grow from layer to layer.
 */
const MEAN_SQUARES = { none: 1, relu6: 0.5, silu: 0.43, gelu: 0.43, gelu_tanh: 0.43, quick_gelu: 0.43, sigmoid: 0.27 };

/**
 * A layer: { kind, inputs, channels, side, meanSquare } and what its kind needs. `inputs` are layers, `side` is the
 * height and the width of its planes, `meanSquare` what the values of its output have, about, where its weights have
 * the deviation that it asks for.
 */
export class LayerList {
  layers = [];
  image = { kind: 'image', inputs: [], channels: INPUT_CHANNELS, side: INPUT_SIDE, meanSquare: 1 };

  /**
   * `norm`: the name of its batch norm; without one the convolution has a bias. `padding`: [before, after] in rows and
   * columns. `gain`: of its random weights.
   */
  conv(x, name, outputs, options = {}) {
    const { norm, kernel = 1, stride = 1, padding = samePadding(x.side, kernel, stride), groups = 1 } = options;
    const { activation = 'none', gain = 1 } = options;
    const [before, after] = padding;
    return this.#add('conv', [x], {
      name,
      norm,
      epsilon: options.epsilon,
      kernel,
      stride,
      padding,
      groups,
      activation,
      channels: outputs,
      side: Math.floor((x.side + before + after - kernel) / stride) + 1,
      deviation: gain / Math.sqrt((x.channels / groups) * kernel * kernel * x.meanSquare),
      meanSquare: gain * gain * MEAN_SQUARES[activation],
    });
  }

  /** Over the last dimension. */
  linear(x, name, outputs, { activation = 'none', gain = 1 } = {}) {
    return this.#add('linear', [x], {
      name,
      activation,
      channels: outputs,
      deviation: gain / Math.sqrt(x.channels * x.meanSquare),
      meanSquare: gain * gain * MEAN_SQUARES[activation],
    });
  }

  /** Over the last dimension. */
  layerNorm(x, name, epsilon) {
    return this.#add('layerNorm', [x], { name, epsilon, meanSquare: 1 });
  }

  /** A factor for each place of the last dimension. */
  layerScale(x, name, mean) {
    return this.#add('layerScale', [x], { name, mean, meanSquare: mean * mean * x.meanSquare });
  }

  sum(x, y) {
    return this.#add('sum', [x, y], { meanSquare: x.meanSquare + y.meanSquare });
  }

  /** Planes times one factor each. */
  gated(x, factors) {
    return this.#add('gated', [x, factors], { meanSquare: x.meanSquare * factors.meanSquare });
  }

  /** The mean of each plane, as a plane of one value. */
  mean(x) {
    return this.#add('mean', [x], { side: 1 });
  }

  /** Planes of one value as a row of values. */
  flat(x) {
    return this.#add('flat', [x], {});
  }

  /** Reorders [channels][row][column] to [row][column][channels]. */
  channelsLast(x) {
    return this.#add('channelsLast', [x], {});
  }

  channelsFirst(x) {
    return this.#add('channelsFirst', [x], {});
  }

  /** Planes as a row for each place, after a class token; positions are added to all of them. */
  tokens(x, name, positions) {
    return this.#add('tokens', [x], { name, positions, count: CLASS_TOKENS + x.side * x.side });
  }

  /** Planes as a row for each place, with positions. */
  patches(x, positions) {
    return this.#add('patches', [x], { positions, count: x.side * x.side });
  }

  /** The vectors of a text's tokens, with positions. */
  embedding(table, positions, { vocabulary, maxTokens, channels, count }) {
    return this.#add('embedding', [this.image], {
      table,
      positions,
      vocabulary,
      maxTokens,
      channels,
      count,
      meanSquare: 1,
    });
  }

  /** `causal`: a token sees those before it. */
  attention(queries, keys, values, heads, { causal = false } = {}) {
    return this.#add('attention', [queries, keys, values], { heads, causal });
  }

  /** A learned token attends to all others: one row; `name` is the prefix of the tensors' names. */
  probe(x, name, heads) {
    return this.#add('probe', [x], { name, heads, count: 1 });
  }

  /** The last row. */
  lastToken(x) {
    return this.#add('lastToken', [x], {});
  }

  classToken(x) {
    return this.#add('classToken', [x], {});
  }

  /** A field that a layer does not set is that of its first input. */
  #add(kind, inputs, fields) {
    const { channels, side, count, meanSquare } = inputs[0];
    const layer = { channels, side, count, meanSquare, kind, inputs, ...fields };
    this.layers.push(layer);
    return layer;
  }
}

/**
 * TensorFlow's padding: one output for each stride that begins in the input; the larger part of an odd padding comes
 * after it.
 */
function samePadding(side, kernel, stride) {
  const total = Math.max((Math.ceil(side / stride) - 1) * stride + kernel - side, 0);
  return [total >> 1, total - (total >> 1)];
}
