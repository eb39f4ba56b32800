// What a process takes that loads a model and writes with it, each in a process of its own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { NODE_24, quintetFile } from '../paths.mjs';
import { CONTEXT_LENGTH, headDimOf, SHAPES } from '../shapes.mjs';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, '../hosts/node_memory.mjs');
const KV_CACHE = { type: 'f16', bytes: 2 };

/** { weights, kvCache, wasm, resident, idle } in bytes; `idle`: a process of Node that does nothing. */
export async function measureMemory(shapeName) {
  const shape = SHAPES[shapeName];
  const { layers, kvHeads, vocabulary } = shape;
  const args = [quintetFile(shapeName), vocabulary, CONTEXT_LENGTH, KV_CACHE.type].map(String);
  const [measured, idle] = [await json(SCRIPT, ...args), await json('--print', 'process.resourceUsage().maxRSS * 1024')];
  const kvCache = 2 * layers * kvHeads * headDimOf(shape) * CONTEXT_LENGTH * KV_CACHE.bytes;
  return { weights: measured.weights, kvCache, wasm: measured.wasm.heapBytes, resident: measured.resident, idle };
}

async function json(...args) {
  const { stdout } = await run(NODE_24, args);
  return JSON.parse(stdout);
}
