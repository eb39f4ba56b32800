// ModernBERT encoders (Warner et al. 2024, arXiv:2412.13663): random weights, by the names of its checkpoints, and the
// graph in ONNX.
import { DataType, float, GraphBuilder } from '../files/onnx_graph.mjs';
import { normal, uniform } from '../files/random.mjs';

const LINEAR_DEVIATION = 0.04;

/** Name to { shape, data }; linear weights are [outputs, inputs], as PyTorch stores them. */
export function randomModernBert({ layers, hidden, intermediate, vocabulary }, seed = 1) {
  const next = uniform(seed);
  const tensors = new Map();
  const add = (name, shape, distribution) => {
    const count = shape.reduce((product, size) => product * size, 1);
    tensors.set(name, { shape, data: normal(next, count, distribution) });
  };
  const addNorm = (name) => add(`${name}.weight`, [hidden], { mean: 1, deviation: 0.1 });
  const addLinear = (name, outputs, inputs) =>
    add(`${name}.weight`, [outputs, inputs], { deviation: LINEAR_DEVIATION });

  add('embeddings.tok_embeddings.weight', [vocabulary, hidden], { deviation: 0.05 });
  addNorm('embeddings.norm');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `layers.${layer}`;
    if (layer !== 0) addNorm(`${prefix}.attn_norm`);
    addLinear(`${prefix}.attn.Wqkv`, 3 * hidden, hidden);
    addLinear(`${prefix}.attn.Wo`, hidden, hidden);
    addNorm(`${prefix}.mlp_norm`);
    addLinear(`${prefix}.mlp.Wi`, 2 * intermediate, hidden);
    addLinear(`${prefix}.mlp.Wo`, hidden, intermediate);
  }
  addNorm('final_norm');
  return tensors;
}

/** config.json. */
export const modernBertConfig = (shape) => ({
  architectures: ['ModernBertModel'],
  model_type: 'modernbert',
  hidden_size: shape.hidden,
  num_hidden_layers: shape.layers,
  num_attention_heads: shape.heads,
  intermediate_size: shape.intermediate,
  hidden_activation: 'gelu',
  norm_eps: shape.normEpsilon,
  norm_bias: false,
  attention_bias: false,
  mlp_bias: false,
  global_attn_every_n_layers: shape.globalEvery,
  global_rope_theta: shape.globalTheta,
  local_rope_theta: shape.localTheta,
  local_attention: shape.window,
  max_position_embeddings: shape.positions,
  vocab_size: shape.vocabulary,
  cls_token_id: 101,
  sep_token_id: 102,
  pad_token_id: 0,
});

const OPSET = 11;
const MASKED = -10000;

/**
 * In the operators of an export: rotary positions, GELU gates, and attention to everything or to neighbours, by a mask.
 * Tables of angles and masks are constants, where an export computes them at each run: that costs the peer a little
 * less. `makeLayers(graph)`: how weights are stored, of onnx_layers.mjs. `positions`: of the longest text.
 */
export function writeModernBertOnnx(path, shape, tensors, makeLayers, positions) {
  const graph = new GraphBuilder('modern_bert', OPSET);
  new ModernBertGraph(graph, makeLayers(graph), shape, tensors, positions).build();
  graph.write(path);
}

class ModernBertGraph {
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
    const { hidden, heads, layers, globalEvery, globalTheta, localTheta } = this.#shape;
    for (const name of ['input_ids', 'attention_mask']) graph.input(name, DataType.INT64, ['batch', 'sequence']);
    graph.output('last_hidden_state', DataType.FLOAT, ['batch', 'sequence', hidden]);
    const width = hidden / heads;
    graph.integers('split_heads', [0, 0, 3, heads, width]);
    graph.integers('join_heads', [0, 0, hidden]);
    graph.integers('zero', [0]);
    graph.integers('half_width', [width / 2]);
    graph.integers('width', [width]);
    graph.integers('last_axis', [3]);
    graph.integer('sequence_axis', 1);
    graph.floats('score_scale', [], [1 / Math.sqrt(width)]);
    graph.floats('sqrt_2', [], [Math.SQRT2]);
    graph.floats('one', [], [1]);
    graph.floats('half', [], [0.5]);
    for (const part of [0, 1, 2]) graph.integer(`part_${part}`, part);

    const length = graph.node(
      'Unsqueeze',
      [graph.node('Gather', [graph.node('Shape', ['input_ids']), 'sequence_axis'])],
      { axes: [0] },
    );
    const padding = this.#paddingMask();
    const everywhere = { mask: padding, ...this.#rotations('global', globalTheta, length) };
    const nearby = {
      mask: graph.node('Add', [padding, this.#windowMask(length)]),
      ...this.#rotations('local', localTheta, length),
    };

    let states = this.#norm(
      this.#layers.embedding('input_ids', 'embeddings', this.#tensors.get('embeddings.tok_embeddings.weight')),
      'embeddings.norm',
    );
    for (let layer = 0; layer < layers; layer++) {
      const prefix = `layers.${layer}`;
      const input = layer === 0 ? states : this.#norm(states, `${prefix}.attn_norm`);
      states = graph.node('Add', [
        states,
        this.#attention(input, prefix, layer % globalEvery === 0 ? everywhere : nearby),
      ]);
      states = graph.node('Add', [states, this.#feedForward(this.#norm(states, `${prefix}.mlp_norm`), prefix)]);
    }
    graph.nodeWithOutputs('Identity', [this.#norm(states, 'final_norm')], ['last_hidden_state']);
  }

  // 0 where a token counts, broadcast over heads and queries.
  #paddingMask() {
    const graph = this.#graph;
    graph.floats('padding_score', [], [MASKED]);
    const perQuery = graph.node('Unsqueeze', ['attention_mask'], { axes: [1, 2] });
    const kept = graph.node('Cast', [perQuery], { to: DataType.FLOAT });
    return graph.node('Mul', [graph.node('Sub', ['one', kept]), 'padding_score']);
  }

  // 0 for neighbours: half of the window on either side.
  #windowMask(length) {
    const graph = this.#graph;
    const count = this.#positions;
    const reach = this.#shape.window / 2;
    const scores = Float32Array.from({ length: count * count }, (_, i) =>
      Math.abs(Math.floor(i / count) - (i % count)) <= reach ? 0 : MASKED,
    );
    graph.floats('window', [count, count], scores);
    graph.integers('both_axes', [0, 1]);
    const ends = graph.node('Concat', [length, length], { axis: 0 });
    graph.integers('both_zero', [0, 0]);
    return graph.node('Slice', ['window', 'both_zero', ends, 'both_axes']);
  }

  #rotations(name, theta, length) {
    const graph = this.#graph;
    const width = this.#shape.hidden / this.#shape.heads;
    const angle = (position, i) => position * theta ** ((-2 * (i % (width / 2))) / width);
    const table = (kind, value) => {
      graph.floats(
        `${name}_${kind}`,
        [this.#positions, width],
        Float32Array.from({ length: this.#positions * width }, (_, i) =>
          value(angle(Math.floor(i / width), i % width)),
        ),
      );
      return graph.node('Slice', [`${name}_${kind}`, 'zero', length, 'zero']);
    };
    return { cosines: table('cosines', Math.cos), sines: table('sines', Math.sin) };
  }

  #rotated(input, { cosines, sines }) {
    const graph = this.#graph;
    const first = graph.node('Slice', [input, 'zero', 'half_width', 'last_axis']);
    const second = graph.node('Slice', [input, 'half_width', 'width', 'last_axis']);
    const turned = graph.node('Concat', [graph.node('Neg', [second]), first], { axis: 3 });
    return graph.node('Add', [graph.node('Mul', [input, cosines]), graph.node('Mul', [turned, sines])]);
  }

  #attention(input, prefix, kind) {
    const graph = this.#graph;
    const parts = graph.node(
      'Transpose',
      [graph.node('Reshape', [this.#linear(input, `${prefix}.attn.Wqkv`), 'split_heads'])],
      {
        perm: [2, 0, 3, 1, 4],
      },
    );
    const [query, key, value] = [0, 1, 2].map((part) => graph.node('Gather', [parts, `part_${part}`], { axis: 0 }));
    const keys = graph.node('Transpose', [this.#rotated(key, kind)], { perm: [0, 1, 3, 2] });
    const scores = graph.node('Mul', [graph.node('MatMul', [this.#rotated(query, kind), keys]), 'score_scale']);
    const weights = graph.node('Softmax', [graph.node('Add', [scores, kind.mask])], { axis: 3 });
    const context = graph.node('Transpose', [graph.node('MatMul', [weights, value])], { perm: [0, 2, 1, 3] });
    return this.#linear(graph.node('Reshape', [context, 'join_heads']), `${prefix}.attn.Wo`);
  }

  #feedForward(input, prefix) {
    const graph = this.#graph;
    const { intermediate } = this.#shape;
    const both = ['inner', 'gate'].map((name) => `${prefix}.${name}`);
    graph.nodeWithOutputs('Split', [this.#linear(input, `${prefix}.mlp.Wi`)], both, {
      axis: 2,
      split: [intermediate, intermediate],
    });
    const [inner, gate] = both;
    const erf = graph.node('Erf', [graph.node('Div', [inner, 'sqrt_2'])]);
    const gelu = graph.node('Mul', [graph.node('Mul', [inner, graph.node('Add', [erf, 'one'])]), 'half']);
    return this.#linear(graph.node('Mul', [gelu, gate]), `${prefix}.mlp.Wo`);
  }

  #linear(input, name) {
    return this.#layers.linear(input, name, this.#tensors.get(`${name}.weight`));
  }

  #norm(input, name) {
    const graph = this.#graph;
    const { shape, data } = this.#tensors.get(`${name}.weight`);
    graph.floats(`${name}.weight`, shape, data);
    graph.floats(`${name}.bias`, shape, new Float32Array(data.length));
    return graph.node('LayerNormalization', [input, `${name}.weight`, `${name}.bias`], {
      axis: -1,
      epsilon: float(this.#shape.normEpsilon),
    });
  }
}
