// transformers.js as its users call it: a feature-extraction pipeline, texts in, pooled vectors out. In browsers it
// runs on WebAssembly; its Node build is native code.

export async function open({ modelName, platform }) {
  const transformers = await platform.importLibrary('@huggingface/transformers');
  platform.configureTransformers(transformers.env);
  const pipeline = await transformers.pipeline('feature-extraction', modelName, {
    dtype: 'q8',
    ...platform.transformersOptions,
  });
  return new Transformers(pipeline);
}

class Transformers {
  #pipeline;

  constructor(pipeline) {
    this.#pipeline = pipeline;
  }

  run(batch) {
    return this.#pipeline(batch.texts, { pooling: 'mean', normalize: true });
  }

  async vectors(batch) {
    const { data, dims } = await this.run(batch);
    const size = dims.at(-1);
    return batch.texts.map((_, row) =>
      Float32Array.from(data.subarray(row * size, (row + 1) * size)),
    );
  }
}
