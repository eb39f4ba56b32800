// From nothing to the first vector, int8: each sample is a fresh process of Node or a fresh Chromium.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openPage } from '../../shared/hosts/chromium_host.mjs';
import { NODE_24, PAGE } from '../paths.mjs';

const run = promisify(execFile);
const NODE_SCRIPT = join(import.meta.dirname, '../hosts/node_cold_start.mjs');

/** What the process computes after its first vector, so that both libraries' peak memory is that of the same work. */
const FURTHER_WORK = ['1x128', '1x256', '32x64'];

export async function nodeColdStarts(contestants, batches, samples) {
  const [first] = batches['1x16'];
  const more = FURTHER_WORK.flatMap((name) => batches[name]);
  return interleaved(contestants, samples, async ({ options }) => {
    const { stdout } = await run(NODE_24, [NODE_SCRIPT, JSON.stringify({ options, first, more })]);
    return JSON.parse(stdout);
  });
}

/** `downloads`: the files of the library and of its wasm that the page fetched. */
export async function chromiumColdStarts(contestants, batches, samples, server) {
  const [first] = batches['1x16'];
  return interleaved(contestants, samples, async ({ options }) => {
    const { page, close } = await openPage(server, PAGE);
    try {
      server.downloads.length = 0;
      const milliseconds = await page.evaluate(
        (...args) => globalThis.coldStart(...args),
        options,
        first,
      );
      return { milliseconds, downloads: server.downloads.filter(isLibraryFile) };
    } finally {
      await close();
    }
  });
}

function isLibraryFile(file) {
  return /[\\/](dist|node_modules)[\\/]/.test(file);
}

async function interleaved(contestants, samples, measure) {
  const results = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  for (let sample = 0; sample < samples; sample++) {
    for (const contestant of contestants) results[contestant.name].push(await measure(contestant));
  }
  return results;
}
