// Embedders as their users call them. A job is a list of batches, each { ids, texts }.

export const contestants = {
  quintet: openQuintet,
  'onnxruntime-web': openOnnxRuntime,
  'transformers.js': openTransformers,
};

/** A single sequence by its ids, a batch by its texts. */
async function openQuintet({ model, variant, threads = 1 }, platform) {
  const { Embedder } = await platform.importLibrary('quintet');
  const embedder = await Embedder.load(platform.modelSource(model), { variant, threads });
  const vectorsOf = async ({ ids, texts }) =>
    ids?.length === 1 ? [await embedder.embedIds(ids[0])] : embedder.embed(texts);
  return ofBatches(vectorsOf, vectorsOf);
}

/** Token ids in, hidden states out. Times are without pooling, which onnxruntime-web leaves to its caller. */
async function openOnnxRuntime(options, platform) {
  const { ort, session } = await openSession(options, platform);
  // All sequences of a batch have the same length here: only transformers.js has to pad.
  const inputs = (sequences) => {
    const shape = [sequences.length, sequences[0].length];
    const count = shape[0] * shape[1];
    const tensor = (values) => new ort.Tensor('int64', values, shape);
    return {
      input_ids: tensor(BigInt64Array.from(sequences.flat(), BigInt)),
      attention_mask: tensor(new BigInt64Array(count).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(count)),
    };
  };
  const statesOf = async ({ ids }) => (await session.run(inputs(ids))).last_hidden_state;
  return ofBatches(statesOf, async (batch) => {
    const states = await statesOf(batch);
    return meanPooled(states.data, states.dims);
  });
}

/**
 * onnxruntime-web on its WebAssembly backend, as all its contestants open it. `model`: the file or URL of an ONNX
 * model. Gives { ort, session }, the library and the session.
 */
export async function openSession({ model, threads = 1 }, platform) {
  const ort = await platform.importLibrary('onnxruntime-web');
  ort.env.wasm.numThreads = threads;
  platform.configureOnnxRuntime(ort.env.wasm);
  const session = await ort.InferenceSession.create(await platform.readFile(model), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  return { ort, session };
}

/**
 * A feature-extraction pipeline, texts in, pooled vectors out. On WebAssembly in browsers; its Node build is native
 * code.
 */
async function openTransformers({ modelsFolder, modelName }, platform) {
  const transformers = await platform.importLibrary('@huggingface/transformers');
  transformers.env.allowRemoteModels = false;
  transformers.env.localModelPath = `${modelsFolder}/`;
  platform.configureTransformers(transformers.env);
  const options = { dtype: 'q8', ...platform.transformersOptions };
  const pipeline = await transformers.pipeline('feature-extraction', modelName, options);
  const vectorsOf = ({ texts }) => pipeline(texts, { pooling: 'mean', normalize: true });
  return ofBatches(vectorsOf, async (batch) => {
    const { data, dims } = await vectorsOf(batch);
    const size = dims.at(-1);
    return batch.texts.map((_, row) => data.subarray(row * size, (row + 1) * size));
  });
}

/** `run` is timed; `vectorsOf` returns the vectors to compare. */
const ofBatches = (run, vectorsOf) => ({
  async run(batches) {
    for (const batch of batches) await run(batch);
  },
  async answers(batches) {
    const vectors = [];
    for (const batch of batches) vectors.push(...(await vectorsOf(batch)));
    return vectors.map((vector) => Array.from(vector));
  },
});

/** Mean over the tokens of each sequence, then unit length: hidden states [batch][tokens][size] to vectors. */
export function meanPooled(states, [batch, tokens, size]) {
  return Array.from({ length: batch }, (_, sequence) => {
    const sums = new Float64Array(size);
    for (let token = 0; token < tokens; token++) {
      const offset = (sequence * tokens + token) * size;
      for (let i = 0; i < size; i++) sums[i] += states[offset + i];
    }
    const norm = Math.hypot(...sums);
    return Float32Array.from(sums, (sum) => sum / norm);
  });
}
