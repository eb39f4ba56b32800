// onnxruntime-web on its WebAssembly backend.

export async function open({ model, threads = 1, platform }) {
  const ort = await platform.importLibrary('onnxruntime-web');
  ort.env.wasm.numThreads = threads;
  platform.configureOnnxRuntime(ort.env.wasm);
  const session = await ort.InferenceSession.create(await platform.readFile(model), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  return new OnnxRuntimeWeb(ort, session);
}

class OnnxRuntimeWeb {
  #ort;
  #session;
  #feeds;

  constructor(ort, session) {
    this.#ort = ort;
    this.#session = session;
  }

  setInput(planes, shape) {
    this.#feeds = { image: new this.#ort.Tensor('float32', planes, [1, ...shape]) };
  }

  async logits() {
    const { logits } = await this.#session.run(this.#feeds);
    return logits.data;
  }
}
