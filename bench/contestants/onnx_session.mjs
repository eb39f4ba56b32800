// onnxruntime-web on its WebAssembly backend, as all its contestants open it.

/** `model`: the file or URL of an ONNX model. Gives { ort, session }, the library and the session. */
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
