// A page of Chromium with one contestant. The conductor calls the stage's methods by name.
import { Stage } from '../contestants/stage.mjs';

const WLLAMA = '/bench/node_modules/@wllama/wllama/esm/';
const WLLAMA_3 = '/bench/node_modules/wllama-3/esm/';

const stage = new Stage({
  importLibrary: (name) => import(name),
  modelSource: (path) => path,
  wllamaFiles: {
    'single-thread/wllama.wasm': `${WLLAMA}single-thread/wllama.wasm`,
    'multi-thread/wllama.wasm': `${WLLAMA}multi-thread/wllama.wasm`,
  },
  wllama3Files: { default: `${WLLAMA_3}wasm/wllama.wasm` },
});

globalThis.callStage = (method, ...args) => stage[method](...args);
