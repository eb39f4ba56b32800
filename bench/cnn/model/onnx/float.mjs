/** Parameters in float32; activations as they are. */
export class FloatForm {
  #graph;
  #tensors;

  constructor(graph, tensors) {
    this.#graph = graph;
    this.#tensors = tensors;
  }

  parameters({ name }) {
    return [`${name}.weight`, `${name}.bias`].map((tensor) => {
      const { shape, data } = this.#tensors.get(tensor);
      return this.#graph.floats(tensor, shape, data);
    });
  }

  image(x) {
    return x;
  }

  output(layer, x) {
    return x;
  }

  sum(block, x) {
    return x;
  }

  like(other, x) {
    return x;
  }
}
