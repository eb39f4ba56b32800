// Random tensors of a network's layers, under transformers' names and in its layouts.
import { normal, uniform } from '../files/random.mjs';

const SMALL = 0.02;
const NEAR_ONE = { mean: 1, deviation: 0.1 };

/** By the kind of a layer: [name, shape, { mean, deviation }] of each tensor. */
const PARAMETERS = {
  conv({ name, norm, kernel, groups, channels, deviation, inputs: [x] }) {
    const weight = [`${name}.weight`, [channels, x.channels / groups, kernel, kernel], { deviation }];
    if (!norm) return [weight, bias(name, channels)];
    return [
      weight,
      [`${norm}.weight`, [channels], NEAR_ONE],
      bias(norm, channels),
      [`${norm}.running_mean`, [channels], { deviation: SMALL }],
      [`${norm}.running_var`, [channels], NEAR_ONE],
    ];
  },
  linear({ name, channels, deviation, inputs: [x] }) {
    return [[`${name}.weight`, [channels, x.channels], { deviation }], bias(name, channels)];
  },
  layerNorm({ name, channels }) {
    return [[`${name}.weight`, [channels], NEAR_ONE], bias(name, channels)];
  },
  layerScale({ name, channels, mean }) {
    return [[name, [channels], { mean, deviation: SMALL }]];
  },
  patches({ positions, channels, count }) {
    return [[positions, [1, count, channels], { deviation: SMALL }]];
  },
  embedding({ table, positions, vocabulary, maxTokens, channels }) {
    return [
      [table, [vocabulary, channels], { deviation: 1 }],
      [positions, [maxTokens, channels], { deviation: SMALL }],
    ];
  },
  probe({ name, channels }) {
    const deviation = 1 / Math.sqrt(channels);
    return [
      [`${name}.probe`, [1, 1, channels], { deviation: 1 }],
      [`${name}.attention.in_proj_weight`, [3 * channels, channels], { deviation }],
      [`${name}.attention.in_proj_bias`, [3 * channels], { deviation: SMALL }],
    ];
  },
  tokens({ name, positions, channels, count }) {
    return [
      [name, [1, 1, channels], { deviation: 1 }],
      [positions, [1, count, channels], { deviation: SMALL }],
    ];
  },
};

function bias(name, channels) {
  return [`${name}.bias`, [channels], { deviation: SMALL }];
}

/** Map of name -> { shape, data }. */
export function randomTensors(layers, seed = 1) {
  const next = uniform(seed);
  const tensors = new Map();
  for (const layer of layers) {
    for (const [name, shape, spread] of PARAMETERS[layer.kind]?.(layer) ?? []) {
      const count = shape.reduce((product, size) => product * size, 1);
      tensors.set(name, { shape, data: normal(next, count, spread) });
    }
  }
  return tensors;
}

/** The weight and the bias of a convolution into which its batch norm is folded, as exporters do. */
export function foldedConv(tensors, { name, norm, epsilon, channels }) {
  const weight = tensors.get(`${name}.weight`);
  if (!norm) return { weight, bias: tensors.get(`${name}.bias`) };
  const [scales, biases, means, variances] = ['weight', 'bias', 'running_mean', 'running_var'].map(
    (part) => tensors.get(`${norm}.${part}`).data,
  );
  const factors = scales.map((scale, i) => scale / Math.sqrt(variances[i] + epsilon));
  const size = weight.data.length / channels;
  return {
    weight: { shape: weight.shape, data: weight.data.map((value, i) => value * factors[Math.floor(i / size)]) },
    bias: { shape: [channels], data: biases.map((value, i) => value - means[i] * factors[i]) },
  };
}
