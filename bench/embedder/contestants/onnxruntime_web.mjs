// onnxruntime-web on its WebAssembly backend: token ids in, hidden states out.
import { meanPooled } from './pooling.mjs';

export async function open({ model, threads = 1, platform }) {
  const ort = await platform.importLibrary('onnxruntime-web');
  ort.env.wasm.numThreads = threads;
  platform.configureOnnxRuntime(ort.env.wasm);
  const session = await ort.InferenceSession.create(await platform.readModel(model), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  return new OnnxRuntimeWeb(ort, session);
}

class OnnxRuntimeWeb {
  #ort;
  #session;

  constructor(ort, session) {
    this.#ort = ort;
    this.#session = session;
  }

  /** What is timed: without pooling, which onnxruntime-web leaves to its caller. */
  async run(batch) {
    const { last_hidden_state: states } = await this.#session.run(this.#inputs(batch.ids));
    return states;
  }

  async vectors(batch) {
    const states = await this.run(batch);
    return meanPooled(states.data, states.dims);
  }

  // All sequences of a batch have the same length here: only transformers.js has to pad.
  #inputs(sequences) {
    const shape = [sequences.length, sequences[0].length];
    const count = shape[0] * shape[1];
    const tensor = (values) => new this.#ort.Tensor('int64', values, shape);
    return {
      input_ids: tensor(BigInt64Array.from(sequences.flat(), BigInt)),
      attention_mask: tensor(new BigInt64Array(count).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(count)),
    };
  }
}
