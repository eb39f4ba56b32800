// quintet as its users call it: a single sequence by its ids, a batch by its texts.

export async function open({ model, variant, threads = 1, platform }) {
  const { Embedder } = await platform.importLibrary('quintet');
  const embedder = await Embedder.load(platform.modelSource(model), { variant, threads });
  return new Quintet(embedder);
}

class Quintet {
  #embedder;

  constructor(embedder) {
    this.#embedder = embedder;
  }

  async run({ ids, texts }) {
    if (ids?.length === 1) return [await this.#embedder.embedIds(ids[0])];
    return this.#embedder.embed(texts);
  }

  vectors(batch) {
    return this.run(batch);
  }
}
