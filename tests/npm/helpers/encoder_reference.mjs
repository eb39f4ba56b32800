// Encoders in double precision, written from the formulas of BERT (Devlin et al. 2018), of DeBERTa (He et al. 2020; the
// buckets of version 2 as in transformers, modeling_deberta_v2.py) and of their heads in transformers: slow, and
// independent of the package.

import { plainSafetensors } from './plain_safetensors.mjs';

const sum = (values) => values.reduce((a, b) => a + b, 0);
const dot = (a, b) => sum(a.map((value, i) => value * b[i]));
const add = (...vectors) => vectors[0].map((_, i) => sum(vectors.map((vector) => vector[i])));

/** Abramowitz and Stegun's series of erf, to the last digits. */
function erf(x) {
  let [term, total] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-18; ++n) {
    term *= -(x * x) / n;
    total += term / (2 * n + 1);
  }
  return Math.abs(x) > 5 ? Math.sign(x) : (2 / Math.sqrt(Math.PI)) * total;
}
export const activations = {
  gelu: (x) => (x / 2) * (1 + erf(x / Math.SQRT2)),
  relu: (x) => Math.max(x, 0),
  tanh: Math.tanh,
};

function softmax(values) {
  const powers = values.map((value) => Math.exp(value - Math.max(...values)));
  return powers.map((power) => power / sum(powers));
}

/** Weights by name: matrices as rows. */
function weightsOf(file) {
  const { tensors } = plainSafetensors(file);
  const rows = (name) => {
    const { shape, values } = tensors.get(`${name}.weight`);
    return Array.from({ length: shape[0] }, (_, i) => values.slice(i * shape[1], (i + 1) * shape[1]));
  };
  return {
    rows,
    has: (name) => tensors.has(`${name}.weight`),
    linear(name) {
      const matrix = rows(name);
      const bias = tensors.get(`${name}.bias`).values;
      return (x) => matrix.map((row, i) => dot(row, x) + bias[i]);
    },
    norm(name, epsilon) {
      const [weight, bias] = [tensors.get(`${name}.weight`).values, tensors.get(`${name}.bias`).values];
      return (x) => {
        const mean = sum(x) / x.length;
        const variance = sum(x.map((value) => (value - mean) ** 2)) / x.length;
        return x.map((value, i) => ((value - mean) / Math.sqrt(variance + epsilon)) * weight[i] + bias[i]);
      };
    },
  };
}

/** make_log_bucket_position */
function bucketOf(distance, buckets, furthest) {
  const middle = buckets / 2;
  const size = Math.abs(distance);
  if (size <= middle) return distance;
  const steps = Math.ceil((Math.log(size / middle) / Math.log((furthest - 1) / middle)) * (middle - 1));
  return Math.sign(distance) * (steps + middle);
}

/** The hidden states of token ids. `prefix`: before the names of the body. */
export function hiddenStates(config, file, prefix, ids, types = ids.map(() => 0)) {
  const weights = weightsOf(file);
  const named = (name) => `${prefix}.${name}`;
  const isDeberta = config.model_type === 'deberta-v2';
  const epsilon = config.layer_norm_eps;
  const firstPosition = config.model_type === 'xlm-roberta' ? config.pad_token_id + 1 : 0;
  const tables = ['word', 'position', 'token_type'].map((kind) => {
    const name = named(`embeddings.${kind}_embeddings`);
    return weights.has(name) ? weights.rows(name) : undefined;
  });
  let states = ids.map((id, i) =>
    add(...[id, firstPosition + i, types[i]].flatMap((row, t) => (tables[t] ? [tables[t][row]] : []))),
  );
  states = states.map(weights.norm(named('embeddings.LayerNorm'), epsilon));
  if (weights.has(named('embeddings_project'))) states = states.map(weights.linear(named('embeddings_project')));
  const suffix = isDeberta ? '_proj' : '';
  const heads = config.num_attention_heads;
  const width = config.hidden_size / heads;
  const headOf = (vector, head) => vector.slice(head * width, (head + 1) * width);
  const distances = isDeberta
    ? weights.rows(named('encoder.rel_embeddings')).map(weights.norm(named('encoder.LayerNorm'), epsilon))
    : [];
  for (let layer = 0; layer < config.num_hidden_layers; ++layer) {
    const of = (name) => named(`encoder.layer.${layer}.${name}`);
    const [query, key, value] = ['query', 'key', 'value'].map((kind) =>
      weights.linear(of(`attention.self.${kind}${suffix}`)),
    );
    const [queries, keys, values] = [states.map(query), states.map(key), states.map(value)];
    const [distanceQueries, distanceKeys] = [distances.map(query), distances.map(key)];
    const scoreOf = (i, j, head) => {
      const content = dot(headOf(queries[i], head), headOf(keys[j], head));
      if (!isDeberta) return content / Math.sqrt(width);
      const buckets = config.position_buckets;
      const bucket = bucketOf(i - j, buckets, config.max_position_embeddings);
      const row = Math.min(Math.max(bucket + buckets, 0), 2 * buckets - 1);
      const toPosition = dot(headOf(queries[i], head), headOf(distanceKeys[row], head));
      const fromPosition = dot(headOf(keys[j], head), headOf(distanceQueries[row], head));
      return (content + toPosition + fromPosition) / Math.sqrt(3 * width);
    };
    const contexts = states.map((_, i) =>
      Array.from({ length: heads }, (_, head) => {
        const shares = softmax(states.map((_, j) => scoreOf(i, j, head)));
        return add(...shares.map((share, j) => headOf(values[j], head).map((x) => share * x)));
      }).flat(),
    );
    const output = weights.linear(of('attention.output.dense'));
    const attended = states
      .map((state, i) => add(state, output(contexts[i])))
      .map(weights.norm(of('attention.output.LayerNorm'), epsilon));
    const [up, down] = [weights.linear(of('intermediate.dense')), weights.linear(of('output.dense'))];
    states = attended
      .map((state) => add(state, down(up(state).map(activations.gelu))))
      .map(weights.norm(of('output.LayerNorm'), epsilon));
  }
  return states;
}

/** A linear layer of the file. */
export const linearOf = (file, name) => weightsOf(file).linear(name);
