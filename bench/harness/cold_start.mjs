// Measures from nothing to the first answers: each sample is a fresh process of Node or a fresh Chromium.
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

import { onFreshStage } from './environments.mjs';
import { median, summary } from './statistics.mjs';

const compress = promisify(brotliCompress);

/**
 * By contestant's name: `times`, the peaks of memory in Node (see Stage.coldStart) and, for pages with `weigh`, the
 * sizes of what they fetch of the library. `first`: the job of the first answers, `more`: those that follow.
 */
export async function measureColdStarts(contestants, { jobs, first, more, samples, weigh = false }) {
  const all = new Map(contestants.map(({ name }) => [name, []]));
  for (let sample = 1; sample <= samples; sample++) {
    for (const contestant of contestants)
      all.get(contestant.name).push(await coldStart(contestant, { jobs, first, more }));
    console.error(`cold starts: ${sample} of ${samples}`);
  }
  const results = {};
  for (const [name, starts] of all)
    results[name] = { ...summaryOf(starts), downloads: weigh ? await sizesOf(starts) : undefined };
  return results;
}

function coldStart({ environment, module, library, options }, { jobs, first, more }) {
  return onFreshStage(environment, module, async ({ call, downloads }) => {
    await call('setJobs', jobs);
    const start = await call('coldStart', { library, options, first, more });
    return { ...start, files: downloads?.() };
  });
}

function summaryOf(starts) {
  const times = summary(starts.map(({ milliseconds }) => milliseconds));
  if (!starts[0].worked) return { times };
  const peaks = (moment) => ({
    wasm: median(starts.map((start) => start[moment].wasm)),
    resident: median(starts.map((start) => start[moment].resident)),
  });
  return {
    times,
    loaded: peaks('loaded'),
    started: peaks('started'),
    worked: peaks('worked'),
    weights: starts[0].weights,
  };
}

const sizesOf = ([{ files }]) => downloadSizes(files.filter((file) => /[\\/](dist|node_modules)[\\/]/.test(file)));

/** Bytes of files as a server sends them, best compressed: { wasm, javaScript }. */
async function downloadSizes(files) {
  const sizes = { wasm: 0, javaScript: 0 };
  for (const file of new Set(files)) sizes[extname(file) === '.wasm' ? 'wasm' : 'javaScript'] += await brotliSize(file);
  return sizes;
}

async function brotliSize(file) {
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return (await compress(bytes, { params })).length;
}
