// The shape of all-MiniLM-L6-v2. Speed does not depend on the values of the weights, so random ones stand in for the
// trained ones, which no package registry offers.
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

/** Multiply-adds of one forward pass: in the linear layers, and in the two products of attention. */
export function multiplyAdds(shape, tokens) {
  const perToken = linearLayers(shape).reduce(
    (sum, [, inputs, outputs]) => sum + inputs * outputs,
    0,
  );
  return {
    linear: shape.layers * tokens * perToken,
    attention: shape.layers * 2 * tokens * tokens * shape.hidden,
  };
}
