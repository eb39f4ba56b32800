// A page of Chromium with one contestant. The conductor calls the stage's methods by name.
import { Stage } from '../contestants/stage.mjs';

const MODELS = '/build/bench/embedder/';
const MODULES = '/bench/node_modules/';

/** How a contestant reaches its library and its model in a browser. */
const browserPlatform = {
  importLibrary: (name) => import(name),
  readModel: async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer()),
  modelSource: (path) => path,
  configureOnnxRuntime(env) {
    env.wasmPaths = `${MODULES}onnxruntime-web/dist/`;
  },
  configureTransformers(env) {
    env.allowRemoteModels = false;
    env.allowLocalModels = true;
    env.localModelPath = MODELS;
    env.useBrowserCache = false;
    env.useWasmCache = false;
    env.backends.onnx.wasm.numThreads = 1;
    env.backends.onnx.wasm.wasmPaths = `${MODULES}@huggingface/transformers/node_modules/onnxruntime-web/dist/`;
  },
  transformersOptions: { device: 'wasm' },
};

const stage = new Stage(browserPlatform);

globalThis.callStage = (method, ...args) => stage[method](...args);

/** Milliseconds from importing the library to the first vector. */
globalThis.coldStart = async (options, batch) => {
  const begin = performance.now();
  await stage.open(options);
  stage.setBatches({ first: [batch] });
  await stage.vectors('first');
  return performance.now() - begin;
};
