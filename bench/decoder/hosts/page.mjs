// A page of Chromium with one contestant. The conductor calls the stage's methods by name.
import { Stage } from '../contestants/stage.mjs';

const WLLAMA = '/bench/node_modules/@wllama/wllama/esm/';

const stage = new Stage({
  importLibrary: (name) => import(name),
  modelSource: (path) => path,
  wllamaFiles: {
    'single-thread/wllama.wasm': `${WLLAMA}single-thread/wllama.wasm`,
    'multi-thread/wllama.wasm': `${WLLAMA}multi-thread/wllama.wasm`,
  },
});

globalThis.callStage = (method, ...args) => stage[method](...args);
