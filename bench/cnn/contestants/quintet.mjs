// quintet as its users call it.

export async function open({ model, variant, threads = 1, platform }) {
  const { ImageClassifier } = await platform.importLibrary('quintet');
  return new Quintet(await ImageClassifier.load(platform.modelSource(model), { variant, threads }));
}

class Quintet {
  #classifier;
  #input;

  constructor(classifier) {
    this.#classifier = classifier;
  }

  setInput(planes, shape) {
    this.#input = [planes, shape];
  }

  logits() {
    return this.#classifier.logits(...this.#input);
  }

  classify(bytes) {
    return this.#classifier.classify(bytes);
  }

  weightBytes() {
    return this.#classifier.info.memory.weights;
  }
}
