import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { MODEL_DIRECTORY, quintetEntry } from '../paths.mjs';

/** How a contestant reaches its library and its model in Node. */
export const nodePlatform = {
  async importLibrary(name) {
    const library = await import(name === 'quintet' ? quintetEntry() : name);
    return library.default ?? library;
  },
  readModel: async (file) => new Uint8Array(await readFile(file)),
  modelSource: (file) => file,
  /** Processor time of this thread, which computes everything. */
  cpuMilliseconds() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  configureOnnxRuntime() {},
  configureTransformers(env) {
    env.allowRemoteModels = false;
    env.localModelPath = `${dirname(MODEL_DIRECTORY)}/`;
  },
  transformersOptions: {
    device: 'cpu',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  },
};
