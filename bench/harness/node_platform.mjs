// How a contestant reaches its library and its model in Node.
import { createWriteStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { quintetEntry, REPOSITORY } from './paths.mjs';
import { watchWasmMemory } from './wasm_memory.mjs';

export const nodePlatform = {
  importLibrary: (name) => (name === 'tfjs-backend-wasm' ? importTfjs() : importPackage(name)),
  // Not a Buffer: small ones share the memory of others.
  readFile: async (file) => new Uint8Array(await readFile(file)),
  modelSource: (file) => file,
  writeFile: (path, stream) => pipeline(Readable.fromWeb(stream), createWriteStream(path)),
  /** Processor time of this thread, which computes everything. */
  cpuMilliseconds() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  /** Gives a function that tells the peaks so far, in bytes. */
  watchMemory() {
    const wasm = watchWasmMemory();
    return () => ({ wasm: wasm(), resident: peakResidentBytes() });
  },
  peakResidentBytes,
  configureOnnxRuntime() {},
  configureTransformers() {},
  transformersOptions: { device: 'cpu', session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 } },
};

// resourceUsage().maxRSS begins with what the parent had when it forked.
function peakResidentBytes() {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return kilobytes * 1024;
}

async function importPackage(name) {
  const library = await import(name === 'quintet' ? quintetEntry() : name);
  return library.default ?? library;
}

async function importTfjs() {
  const { default: tf } = await import('@tensorflow/tfjs-core');
  const { default: backend } = await import('@tensorflow/tfjs-backend-wasm');
  backend.setWasmPaths(join(REPOSITORY, 'bench/node_modules/@tensorflow/tfjs-backend-wasm/dist/'));
  backend.setThreadsCount(1);
  return tf;
}
