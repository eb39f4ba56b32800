// node node_child.mjs MODULE
// A process of Node with one contestant of a module. The parent calls the stage's methods by name.
import { createWriteStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';

import { quintetEntry, REPOSITORY } from './paths.mjs';
import { Stage } from './stage.mjs';

/** Loads the library and the model of a contestant in Node. */
const nodePlatform = {
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
  /** Returns a function for the peaks so far, in bytes. */
  watchMemory() {
    const wasm = watchWasmMemory();
    return () => ({ wasm: wasm(), resident: peakResidentBytes() });
  },
  peakResidentBytes,
  configureOnnxRuntime() {},
  configureTransformers() {},
  transformersOptions: { device: 'cpu', session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 } },
};

const stage = new Stage(nodePlatform, await import(pathToFileURL(process.argv[2]).href));

process.on('message', async ({ method, args }) => {
  try {
    process.send({ result: await stage.call(method, args) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});

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

/**
 * Remembers the memory of every WebAssembly instance that is made from now on. Returns a function that reports the
 * bytes of the largest one; wasm memory never shrinks, so that is also its peak.
 */
function watchWasmMemory() {
  const memories = new Set();
  const remember = (instance, imports = {}) => {
    const candidates = [instance.exports, ...Object.values(imports)].flatMap((names) => Object.values(names));
    for (const item of candidates) if (item instanceof WebAssembly.Memory) memories.add(item);
  };

  const { instantiate, Instance } = WebAssembly;
  WebAssembly.instantiate = async (source, imports) => {
    const result = await instantiate(source, imports);
    remember(result.instance ?? result, imports);
    return result;
  };
  WebAssembly.Instance = class extends Instance {
    constructor(module, imports) {
      super(module, imports);
      remember(this, imports);
    }
  };
  return () => Math.max(...Array.from(memories, (memory) => memory.buffer.byteLength));
}
