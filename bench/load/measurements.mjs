// The times alternate, so that what else runs on the machine meets both.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { urlPath } from '../decoder/paths.mjs';
import { openInChromium } from '../shared/hosts/chromium_host.mjs';
import { NODE_24 } from '../shared/paths.mjs';
import { summary } from '../shared/statistics.mjs';

const run = promisify(execFile);
const CHILD = join(import.meta.dirname, 'hosts/node_child.mjs');
const PAGE = 'bench/load/hosts/page.html';

const inNode = async (...args) => JSON.parse((await run(NODE_24, [CHILD, ...args])).stdout);

/** Seconds, best and median: { hashed, loaded, verified }; `verified`: loaded with the option `integrity`. */
export async function measureInNode(file, rounds) {
  // Not counted: afterwards the system has the file in memory, which is the hardest case.
  const { digest } = await inNode('hash', file);
  return inTurns(rounds, {
    hashed: () => inNode('hash', file),
    loaded: () => inNode('load', file),
    verified: () => inNode('load', file, digest),
  });
}

export async function measureInChromium(server, file, rounds) {
  const inPage = async (method) => {
    const { call, close } = await openInChromium(server, PAGE);
    const result = await call(method, urlPath(file)).finally(close);
    return result;
  };
  return inTurns(rounds, { hashed: () => inPage('hash'), loaded: () => inPage('load') });
}

/** Bytes: { file, wasm, resident, idle }; `idle`: a process that has only imported quintet. The KV cache is not used yet. */
export async function measureMemory(file) {
  const { size } = await stat(file);
  const { wasm, resident } = await inNode('load', file);
  const { resident: idle } = await inNode('idle');
  return { file: size, wasm, resident, idle };
}

async function inTurns(rounds, measurements) {
  const samples = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = 0; round < rounds; ++round) {
    for (const [name, measure] of Object.entries(measurements)) samples[name].push((await measure()).seconds);
  }
  return Object.fromEntries(Object.entries(samples).map(([name, seconds]) => [name, summary(seconds)]));
}
