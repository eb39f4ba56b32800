// page.html?MODULE
// A page of Chromium with one contestant of a module. The conductor calls the stage's methods by name.
import { Stage } from './stage.mjs';

const MODULES = '/bench/node_modules/';
const TFJS = `${MODULES}@tensorflow/`;

/** Loads the library and the model of a contestant in a browser. */
const browserPlatform = {
  importLibrary: (name) => (name === 'tfjs-backend-wasm' ? importTfjs() : import(name)),
  readFile: async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer()),
  modelSource: (path) => path,
  configureOnnxRuntime(env) {
    env.wasmPaths = `${MODULES}onnxruntime-web/dist/`;
  },
  configureTransformers(env) {
    env.allowLocalModels = true;
    env.useBrowserCache = false;
    env.useWasmCache = false;
    env.backends.onnx.wasm.numThreads = 1;
    env.backends.onnx.wasm.wasmPaths = `${MODULES}@huggingface/transformers/node_modules/onnxruntime-web/dist/`;
  },
  transformersOptions: { device: 'wasm' },
};

const stage = new Stage(browserPlatform, await import(decodeURIComponent(location.search.slice(1))));

globalThis.callStage = (method, args) => stage.call(method, args);

// Its modules are for bundlers; pages without one load scripts.
async function importTfjs() {
  await loadScript(`${TFJS}tfjs-core/dist/tf-core.min.js`);
  await loadScript(`${TFJS}tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
  const { tf } = globalThis;
  tf.wasm.setWasmPaths(`${TFJS}tfjs-backend-wasm/dist/`);
  tf.wasm.setThreadsCount(1);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  return tf;
}

function loadScript(src) {
  const script = Object.assign(document.createElement('script'), { src });
  return new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${src} does not load`));
    document.head.append(script);
  });
}
