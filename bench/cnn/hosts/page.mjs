// A page of Chromium with one contestant. The conductor calls the stage's methods by name.
import { Stage } from '../contestants/stage.mjs';
import { picture, planesOf } from '../model/picture.mjs';
import { TIMED_PICTURE } from '../workload.mjs';

const MODULES = '/bench/node_modules/';
const TFJS = `${MODULES}@tensorflow/`;

/** How a contestant reaches its library and its model in a browser. */
const stage = new Stage({
  importLibrary: (name) => (name === 'tfjs-backend-wasm' ? importTfjs() : import(name)),
  readFile: async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer()),
  modelSource: (path) => path,
  configureOnnxRuntime(env) {
    env.wasmPaths = `${MODULES}onnxruntime-web/dist/`;
  },
});

globalThis.callStage = (method, ...args) => stage[method](...args);

/** Milliseconds from importing the library to the first logits. */
globalThis.coldStart = async (options) => {
  const planes = planesOf(picture(TIMED_PICTURE));
  const begin = performance.now();
  await stage.open(options);
  stage.setInput(planes);
  await stage.logits();
  return performance.now() - begin;
};

/** A picture's file in base64. */
globalThis.encodePicture = async ({ seed, width, height, type }) => {
  const { data } = picture(seed, width, height);
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    image.data.set(data.subarray(3 * i, 3 * i + 3), 4 * i);
    image.data[4 * i + 3] = 255;
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d').putImageData(image, 0, 0);
  const reader = new FileReader();
  reader.readAsDataURL(await canvas.convertToBlob({ type, quality: 0.9 }));
  await new Promise((resolve) => (reader.onload = resolve));
  return reader.result.slice(reader.result.indexOf(',') + 1);
};

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
