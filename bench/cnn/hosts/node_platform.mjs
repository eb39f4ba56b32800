import { readFile } from 'node:fs/promises';

import { quintetEntry, TFJS_FILES } from '../paths.mjs';

/** How a contestant reaches its library and its model in Node. */
export const nodePlatform = {
  importLibrary: (name) => (name === 'tfjs-backend-wasm' ? importTfjs() : importPackage(name)),
  // Not a Buffer: small ones share the memory of others.
  readFile: async (file) => new Uint8Array(await readFile(file)),
  modelSource: (file) => file,
  /** Processor time of this thread, which computes everything. */
  cpuMilliseconds() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  configureOnnxRuntime() {},
};

async function importPackage(name) {
  const library = await import(name === 'quintet' ? quintetEntry() : name);
  return library.default ?? library;
}

async function importTfjs() {
  const { default: tf } = await import('@tensorflow/tfjs-core');
  const { default: backend } = await import('@tensorflow/tfjs-backend-wasm');
  backend.setWasmPaths(TFJS_FILES);
  backend.setThreadsCount(1);
  return tf;
}
