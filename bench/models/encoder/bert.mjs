// BERT encoders: the shape of all-MiniLM-L6-v2, random weights, and the graph in ONNX. Speed does not depend on the
// values of the weights, so random ones stand in for the trained ones, which no package registry offers.
import { DataType, float, GraphBuilder } from '../files/onnx_graph.mjs';
import { normal, uniform } from '../files/random.mjs';

export const MINILM = Object.freeze({
  layers: 6,
  hidden: 384,
  heads: 12,
  intermediate: 1536,
  vocabulary: 30522,
  positions: 512,
  tokenTypes: 2,
  layerNormEpsilon: 1e-12,
});

/** The linear layers of one encoder layer: [name, inputs, outputs]. */
export function linearLayers({ hidden, intermediate }) {
  return [
    ['attention.self.query', hidden, hidden],
    ['attention.self.key', hidden, hidden],
    ['attention.self.value', hidden, hidden],
    ['attention.output.dense', hidden, hidden],
    ['intermediate.dense', hidden, intermediate],
    ['output.dense', intermediate, hidden],
  ];
}

// With unit-variance inputs (every linear layer reads a LayerNorm's or GELU's output) this keeps outputs, attention
// scores and residuals near unit variance as well, as in a trained model.
const LINEAR_DEVIATION = 0.05;

/** All tensors of a BERT encoder by their Hugging Face names: Map of name -> { shape, data }. Linear weights are
 *  [outputs, inputs], as PyTorch stores them. */
export function randomBert(shape, seed = 1) {
  const next = uniform(seed);
  const tensors = new Map();
  const add = (name, dims, distribution) => {
    const count = dims.reduce((product, size) => product * size, 1);
    tensors.set(name, { shape: dims, data: normal(next, count, distribution) });
  };
  const addLayerNorm = (name) => {
    add(`${name}.weight`, [shape.hidden], { mean: 1, deviation: 0.1 });
    add(`${name}.bias`, [shape.hidden], { deviation: 0.05 });
  };

  add('embeddings.word_embeddings.weight', [shape.vocabulary, shape.hidden], { deviation: 0.05 });
  add('embeddings.position_embeddings.weight', [shape.positions, shape.hidden], {
    deviation: 0.02,
  });
  add('embeddings.token_type_embeddings.weight', [shape.tokenTypes, shape.hidden], {
    deviation: 0.02,
  });
  addLayerNorm('embeddings.LayerNorm');
  for (let layer = 0; layer < shape.layers; layer++) {
    const prefix = `encoder.layer.${layer}`;
    for (const [name, inputs, outputs] of linearLayers(shape)) {
      add(`${prefix}.${name}.weight`, [outputs, inputs], { deviation: LINEAR_DEVIATION });
      add(`${prefix}.${name}.bias`, [outputs], { deviation: 0.02 });
    }
    addLayerNorm(`${prefix}.attention.output.LayerNorm`);
    addLayerNorm(`${prefix}.output.LayerNorm`);
  }
  return tensors;
}

/** With 13 and later, where axes are inputs, ONNX Runtime leaves attention in a dozen pieces. */
const OPSET = 11;

/**
 * In the form that early versions of `optimum` export, operator for operator: biases as second operands, the softmax
 * axis as 3. ONNX Runtime 1.30 recognizes this form and fuses it into its Attention and BiasGelu kernels. (It fuses
 * SkipLayerNormalization only where lengths are fixed, as they are in no published model.) `makeLayers(graph)` decides
 * how weights are stored: onnx_layers.mjs has the ways. `addHead(graph, layers, states)`: what follows, else the states
 * are the result.
 */
export function writeOnnx(path, shape, tensors, makeLayers, addHead = giveStates(shape)) {
  const graph = new GraphBuilder('bert', OPSET);
  const layers = makeLayers(graph);
  addHead(graph, layers, new BertGraph(graph, layers, shape, tensors).build());
  graph.write(path);
}

const giveStates =
  ({ hidden }) =>
  (graph, _, states) => {
    graph.output('last_hidden_state', DataType.FLOAT, ['batch', 'sequence', hidden]);
    graph.nodeWithOutputs('Identity', [states], ['last_hidden_state']);
  };

class BertGraph {
  #graph;
  #layers;
  #shape;
  #tensors;

  constructor(graph, layers, shape, tensors) {
    this.#graph = graph;
    this.#layers = layers;
    this.#shape = shape;
    this.#tensors = tensors;
  }

  build() {
    const graph = this.#graph;
    const { hidden, heads, tokenTypes } = this.#shape;
    const inputs = ['input_ids', 'attention_mask', ...(tokenTypes > 0 ? ['token_type_ids'] : [])];
    for (const name of inputs) graph.input(name, DataType.INT64, ['batch', 'sequence']);
    graph.integers('split_heads', [0, 0, heads, hidden / heads]);
    graph.integers('join_heads', [0, 0, hidden]);
    graph.floats('sqrt_head_size', [], [Math.sqrt(hidden / heads)]);
    graph.floats('sqrt_2', [], [Math.SQRT2]);
    graph.floats('one', [], [1]);
    graph.floats('half', [], [0.5]);

    const mask = this.#mask();
    let states = this.#embeddings();
    for (let layer = 0; layer < this.#shape.layers; layer++) {
      const prefix = `encoder.layer.${layer}`;
      states = this.#feedForward(this.#attention(states, mask, prefix), prefix);
    }
    return states;
  }

  #embeddings() {
    const graph = this.#graph;
    graph.integer('sequence_axis', 1);
    graph.integers('zero', [0]);
    graph.integers(
      'all_positions',
      Array.from({ length: this.#shape.positions }, (_, i) => i),
    );
    const length = graph.node('Gather', [graph.node('Shape', ['input_ids']), 'sequence_axis']);
    const end = graph.node('Unsqueeze', [length], { axes: [0] });
    const positions = graph.node('Slice', ['all_positions', 'zero', end, 'zero']);

    const words = this.#embedding('input_ids', 'word');
    const places = graph.node('Unsqueeze', [this.#embedding(positions, 'position')], { axes: [0] });
    const typed =
      this.#shape.tokenTypes > 0 ? graph.node('Add', [words, this.#embedding('token_type_ids', 'token_type')]) : words;
    const sum = graph.node('Add', [typed, places]);
    return this.#layerNorm(sum, 'embeddings.LayerNorm');
  }

  // 0 where a token counts, -10000 where it is padding, broadcast over heads and queries.
  #mask() {
    const graph = this.#graph;
    graph.floats('padding_score', [], [-10000]);
    const perHead = graph.node('Unsqueeze', ['attention_mask'], { axes: [1] });
    const perQuery = graph.node('Unsqueeze', [perHead], { axes: [2] });
    const kept = graph.node('Cast', [perQuery], { to: DataType.FLOAT });
    return graph.node('Mul', [graph.node('Sub', ['one', kept]), 'padding_score']);
  }

  #attention(states, mask, prefix) {
    const graph = this.#graph;
    const projection = (name, perm) => {
      const flat = this.#linear(states, `${prefix}.attention.self.${name}`);
      return graph.node('Transpose', [graph.node('Reshape', [flat, 'split_heads'])], { perm });
    };
    const query = projection('query', [0, 2, 1, 3]);
    const key = projection('key', [0, 2, 3, 1]);
    const value = projection('value', [0, 2, 1, 3]);
    const scores = graph.node('Div', [graph.node('MatMul', [query, key]), 'sqrt_head_size']);
    const weights = graph.node('Softmax', [graph.node('Add', [scores, mask])], { axis: 3 });
    const context = graph.node('Transpose', [graph.node('MatMul', [weights, value])], {
      perm: [0, 2, 1, 3],
    });
    const joined = graph.node('Reshape', [context, 'join_heads']);
    const output = this.#linear(joined, `${prefix}.attention.output.dense`);
    return this.#layerNorm(graph.node('Add', [output, states]), `${prefix}.attention.output.LayerNorm`);
  }

  #feedForward(states, prefix) {
    const graph = this.#graph;
    const inner = this.#linear(states, `${prefix}.intermediate.dense`);
    const erf = graph.node('Erf', [graph.node('Div', [inner, 'sqrt_2'])]);
    const doubled = graph.node('Mul', [inner, graph.node('Add', [erf, 'one'])]);
    const gelu = graph.node('Mul', [doubled, 'half']);
    const output = this.#linear(gelu, `${prefix}.output.dense`);
    return this.#layerNorm(graph.node('Add', [output, states]), `${prefix}.output.LayerNorm`);
  }

  #linear(input, name) {
    return this.#layers.linear(input, name, this.#tensors.get(`${name}.weight`), this.#tensors.get(`${name}.bias`));
  }

  #embedding(ids, kind) {
    const name = `embeddings.${kind}_embeddings.weight`;
    return this.#layers.embedding(ids, name, this.#tensors.get(name));
  }

  #layerNorm(input, name) {
    for (const part of [`${name}.weight`, `${name}.bias`]) {
      const { shape, data } = this.#tensors.get(part);
      this.#graph.floats(part, shape, data);
    }
    const attributes = { axis: -1, epsilon: float(this.#shape.layerNormEpsilon) };
    return this.#graph.node('LayerNormalization', [input, `${name}.weight`, `${name}.bias`], attributes);
  }
}
