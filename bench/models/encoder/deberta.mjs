// DeBERTa v2 and v3 encoders (He et al. 2020, arXiv:2006.03654): random weights, by the names of their checkpoints, and
// the graph in ONNX.
import { DataType, float, GraphBuilder } from '../files/onnx_graph.mjs';
import { randomBert } from './bert.mjs';

/** Name to { shape, data }, as BERT's, with a table of distances in place of positions and token types. */
export function randomDeberta(shape, seed = 1) {
  const tensors = randomBert({ ...shape, positions: 2 * shape.buckets, tokenTypes: 0 }, seed);
  const distances = tensors.get('embeddings.position_embeddings.weight');
  for (const name of ['position', 'token_type']) tensors.delete(`embeddings.${name}_embeddings.weight`);
  const named = Array.from(tensors, ([name, tensor]) => [
    name.replace(/attention\.self\.(query|key|value)\./, 'attention.self.$1_proj.'),
    tensor,
  ]);
  return new Map([
    ...named,
    ['encoder.rel_embeddings.weight', { ...distances, data: distances.data.map((value) => 20 * value) }],
    ['encoder.LayerNorm.weight', tensors.get('embeddings.LayerNorm.weight')],
    ['encoder.LayerNorm.bias', tensors.get('embeddings.LayerNorm.bias')],
  ]);
}

/** config.json. */
export const debertaConfig = (shape) => ({
  model_type: 'deberta-v2',
  hidden_act: 'gelu',
  hidden_size: shape.hidden,
  num_hidden_layers: shape.layers,
  num_attention_heads: shape.heads,
  intermediate_size: shape.intermediate,
  vocab_size: shape.vocabulary,
  max_position_embeddings: shape.positions,
  relative_attention: true,
  position_buckets: shape.buckets,
  max_relative_positions: -1,
  norm_rel_ebd: 'layer_norm',
  share_att_key: true,
  pos_att_type: ['p2c', 'c2p'],
  position_biased_input: false,
  type_vocab_size: 0,
  layer_norm_eps: shape.layerNormEpsilon,
  pad_token_id: 0,
});

const OPSET = 11;
const MASKED = -10000;

/**
 * In the operators of an export. The keys and queries of distances have constant inputs, so that ONNX Runtime computes
 * them once, when it loads the model. Which distance two positions have is a constant table, where an export computes
 * it at each run: that costs the peer a little less. `makeLayers` and `addHead`: as in bert.mjs. `positions`: of the
 * longest text, at most half of the buckets: each distance then has a bucket for itself.
 */
export function writeDebertaOnnx(path, shape, tensors, makeLayers, addHead, positions) {
  const graph = new GraphBuilder('deberta', OPSET);
  const layers = makeLayers(graph);
  addHead(graph, layers, new DebertaGraph(graph, layers, shape, tensors, positions).build());
  graph.write(path);
}

class DebertaGraph {
  #graph;
  #layers;
  #shape;
  #tensors;
  #positions;

  constructor(graph, layers, shape, tensors, positions) {
    this.#graph = graph;
    this.#layers = layers;
    this.#shape = shape;
    this.#tensors = tensors;
    this.#positions = positions;
  }

  build() {
    const graph = this.#graph;
    const { hidden, heads } = this.#shape;
    for (const name of ['input_ids', 'attention_mask']) graph.input(name, DataType.INT64, ['batch', 'sequence']);
    graph.integers('split_heads', [0, 0, heads, hidden / heads]);
    graph.integers('join_heads', [0, 0, hidden]);
    graph.floats('score_scale', [], [1 / Math.sqrt((3 * hidden) / heads)]);
    graph.floats('sqrt_2', [], [Math.SQRT2]);
    graph.floats('one', [], [1]);
    graph.floats('half', [], [0.5]);

    const mask = this.#mask();
    const buckets = this.#buckets();
    const distances = this.#distances();
    const words = this.#tensors.get('embeddings.word_embeddings.weight');
    let states = this.#layerNorm(
      this.#layers.embedding('input_ids', 'embeddings.word_embeddings.weight', words),
      'embeddings.LayerNorm',
    );
    // Padding begins as zero.
    const kept = graph.node('Cast', [graph.node('Unsqueeze', ['attention_mask'], { axes: [2] })], {
      to: DataType.FLOAT,
    });
    states = graph.node('Mul', [states, kept]);
    for (let layer = 0; layer < this.#shape.layers; layer++) {
      const prefix = `encoder.layer.${layer}`;
      states = this.#feedForward(this.#attention(states, { mask, buckets, distances }, prefix), prefix);
    }
    return states;
  }

  // 0 where both tokens count, broadcast over heads.
  #mask() {
    const graph = this.#graph;
    graph.floats('padding_score', [], [MASKED]);
    const keys = graph.node('Unsqueeze', ['attention_mask'], { axes: [1, 2] });
    const kept = graph.node('Cast', [keys], { to: DataType.FLOAT });
    return graph.node('Mul', [graph.node('Sub', ['one', kept]), 'padding_score']);
  }

  // The row of the table of distances for each query and key: [batch, heads, sequence, sequence].
  #buckets() {
    const graph = this.#graph;
    const count = this.#positions;
    const table = BigInt64Array.from({ length: count * count }, (_, i) =>
      BigInt(Math.floor(i / count) - (i % count) + this.#shape.buckets),
    );
    graph.initializer('all_buckets', DataType.INT64, [count, count], table);
    graph.integers('both_zero', [0, 0]);
    graph.integers('both_axes', [0, 1]);
    graph.integer('batch_axis', 0);
    graph.integer('sequence_axis', 1);
    graph.integers('heads', [this.#shape.heads]);
    const size = (axis) =>
      graph.node('Unsqueeze', [graph.node('Gather', [graph.node('Shape', ['input_ids']), axis])], { axes: [0] });
    const length = size('sequence_axis');
    const ends = graph.node('Concat', [length, length], { axis: 0 });
    const own = graph.node('Slice', ['all_buckets', 'both_zero', ends, 'both_axes']);
    const all = graph.node('Concat', [size('batch_axis'), 'heads', length, length], { axis: 0 });
    return graph.node('Expand', [own, all]);
  }

  #distances() {
    const graph = this.#graph;
    const { shape, data } = this.#tensors.get('encoder.rel_embeddings.weight');
    graph.floats('encoder.rel_embeddings.weight', [1, ...shape], data);
    return this.#layerNorm('encoder.rel_embeddings.weight', 'encoder.LayerNorm');
  }

  #attention(states, { mask, buckets, distances }, prefix) {
    const graph = this.#graph;
    const flat = (input, name) => this.#linear(input, `${prefix}.attention.self.${name}_proj`);
    const split = (input, name, perm) =>
      graph.node('Transpose', [graph.node('Reshape', [flat(input, name), 'split_heads'])], { perm });
    const rows = [0, 2, 1, 3];
    const columns = [0, 2, 3, 1];
    const query = split(states, 'query', rows);
    const key = split(states, 'key', rows);
    const value = split(states, 'value', rows);
    const keyColumns = graph.node('Transpose', [key], { perm: [0, 1, 3, 2] });
    const of = (vectors, name) => graph.node('MatMul', [vectors, split(distances, name, columns)]);
    const picked = (products, at) => graph.node('GatherElements', [products, at], { axis: 3 });
    const toKeys = picked(of(query, 'key'), buckets);
    const flipped = graph.node('Transpose', [buckets], { perm: [0, 1, 3, 2] });
    const toQueries = graph.node('Transpose', [picked(of(key, 'query'), flipped)], { perm: [0, 1, 3, 2] });
    const sums = graph.node('Add', [graph.node('MatMul', [query, keyColumns]), graph.node('Add', [toKeys, toQueries])]);
    const scores = graph.node('Mul', [sums, 'score_scale']);
    const weights = graph.node('Softmax', [graph.node('Add', [scores, mask])], { axis: 3 });
    const context = graph.node('Transpose', [graph.node('MatMul', [weights, value])], { perm: rows });
    const output = this.#linear(graph.node('Reshape', [context, 'join_heads']), `${prefix}.attention.output.dense`);
    return this.#layerNorm(graph.node('Add', [output, states]), `${prefix}.attention.output.LayerNorm`);
  }

  #feedForward(states, prefix) {
    const graph = this.#graph;
    const hidden = this.#linear(states, `${prefix}.intermediate.dense`);
    const erf = graph.node('Erf', [graph.node('Div', [hidden, 'sqrt_2'])]);
    const gelu = graph.node('Mul', [graph.node('Mul', [hidden, graph.node('Add', [erf, 'one'])]), 'half']);
    const output = this.#linear(gelu, `${prefix}.output.dense`);
    return this.#layerNorm(graph.node('Add', [output, states]), `${prefix}.output.LayerNorm`);
  }

  #linear(input, name) {
    return this.#layers.linear(input, name, this.#tensors.get(`${name}.weight`), this.#tensors.get(`${name}.bias`));
  }

  #layerNorm(input, name) {
    const graph = this.#graph;
    for (const part of [`${name}.weight`, `${name}.bias`]) {
      const { shape, data } = this.#tensors.get(part);
      graph.floats(part, shape, data);
    }
    return graph.node('LayerNormalization', [input, `${name}.weight`, `${name}.bias`], {
      axis: -1,
      epsilon: float(this.#shape.layerNormEpsilon),
    });
  }
}
