// A fresh process that does one thing with a file, and prints one line of JSON about it.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

import { quintetEntry } from '../../shared/paths.mjs';
import { CONTEXT_LENGTH } from './context_length.mjs';

const CHUNK = 1 << 20;

const [what, file, digest] = process.argv.slice(2);

const METHODS = {
  /** Reads a chunk, then hashes it: what a program does that only checks its file. */
  async hash() {
    const begin = performance.now();
    const handle = await open(file);
    const hash = createHash('sha256');
    const buffer = new Uint8Array(CHUNK);
    for (let bytesRead; ({ bytesRead } = await handle.read(buffer, 0, CHUNK)), bytesRead > 0; ) {
      hash.update(buffer.subarray(0, bytesRead));
    }
    await handle.close();
    return { digest: `sha256-${hash.digest('base64')}`, ...since(begin) };
  },

  async load() {
    const { capabilities, TextGenerator } = await import(quintetEntry());
    const begin = performance.now();
    const generator = await TextGenerator.load(file, {
      contextLength: CONTEXT_LENGTH,
      ...(digest === undefined ? {} : { integrity: digest }),
    });
    const time = since(begin);
    return { ...time, wasm: capabilities().memory.heapBytes, weights: generator.info.memory.weights };
  },

  async idle() {
    await import(quintetEntry());
    return {};
  },
};

const since = (begin) => ({ seconds: (performance.now() - begin) / 1000 });

const result = await METHODS[what]();
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({ ...result, processor: (user + system) / 1e6, resident: process.resourceUsage().maxRSS * 1024 }),
);
process.exit();
