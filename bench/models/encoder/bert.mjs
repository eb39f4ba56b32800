// BERT encoders: the shape of all-MiniLM-L6-v2, and random weights. Speed does not depend on the values of the
// weights, so random ones stand in for the trained ones, which no package registry offers.
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
