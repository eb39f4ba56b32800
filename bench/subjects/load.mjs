// The time and memory to load files of 2 to 3.4 GB, compared with reading and hashing them and with their size: in Node
// 24 and Chromium, each time in its own process.
//   [--model NAME]
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { onFreshStage, pathIn } from '../harness/environments.mjs';
import { MEGABYTE, number } from '../harness/lines.mjs';
import { alternate } from '../harness/rounds.mjs';
import { mapValues, summary } from '../harness/statistics.mjs';
import { ggufFile, prepareModels } from '../models/decoder/prepare.mjs';
import { LARGE_SHAPES } from '../models/decoder_shapes.mjs';

const MODELS = Object.keys(LARGE_SHAPES);

export const chromium = true;
export const options = { model: { type: 'string', choices: MODELS } };
export const paces = { full: { rounds: 5 }, quick: { rounds: 2 } };

/** Limits, as multiples of the time for reading and hashing and of the size of the file. */
const MAX_TIME = 1.15;
const MAX_MEMORY = 1.1;

const MODULE = join(import.meta.dirname, '../contestants/load.mjs');

export async function measure({ pace: { rounds }, options }) {
  const models = options.model === undefined ? MODELS : [options.model];
  await prepareModels(models);
  const results = {};
  for (const model of models) {
    console.error(model);
    const file = ggufFile(model);
    results[model] = {
      node: await measureInNode(file, rounds),
      chromium: await measureInChromium(file, rounds),
      memory: await measureMemory(file),
    };
  }
  return results;
}

/** In a fresh process or page. */
const once = (environment, library, method, file, ...args) =>
  onFreshStage(environment, MODULE, async ({ call }) => {
    await call('open', library);
    return call(method, pathIn(environment, file), ...args);
  });

/** Seconds, best and median: { hashed, loaded, verified }; `verified`: loaded with the option `integrity`. */
async function measureInNode(file, rounds) {
  // Not counted: afterwards the system has the file in memory, which is the hardest case.
  const { digest } = await once('node', 'node:crypto', 'hash', file);
  return inTurns(rounds, {
    hashed: () => once('node', 'node:crypto', 'hash', file),
    loaded: () => once('node', 'quintet', 'load', file),
    verified: () => once('node', 'quintet', 'load', file, digest),
  });
}

const measureInChromium = (file, rounds) =>
  inTurns(rounds, {
    hashed: () => once('chromium', 'crypto.subtle', 'hash', file),
    loaded: () => once('chromium', 'quintet', 'load', file),
  });

const inTurns = async (rounds, measurements) =>
  mapValues(await alternate(rounds, measurements), (samples) => summary(samples.map(({ seconds }) => seconds)));

/**
 * Bytes: { file, wasm, resident, idle }; `idle`: a process that has only imported quintet. The KV cache is not used
 * yet.
 */
async function measureMemory(file) {
  const [loaded, idle] = [
    await onFreshStage('node', MODULE, async ({ call }) => {
      await call('open', 'quintet');
      return { ...(await call('load', file)), resident: await call('residentBytes') };
    }),
    await once('node', 'quintet', 'residentBytes', file),
  ];
  return { file: (await stat(file)).size, wasm: loaded.wasm, resident: loaded.resident, idle };
}

export function sections(results) {
  const models = Object.entries(results);
  const times = (key) => models.map(([model, result]) => timeLine(model, result[key].loaded, result[key].hashed));
  const verified = ([model, { node }]) => timeLine(`${model}, with integrity`, node.verified, node.hashed);
  const title = 'load, beside reading and hashing, seconds, best / median';
  return [
    { title: `Node 24: ${title}`, lines: [...times('node'), ...models.map(verified)] },
    { title: `Chromium: ${title}`, lines: times('chromium') },
    {
      title: 'Node 24: peak memory beyond that of Node itself, beside the file, MB',
      lines: models.map(([model, { memory }]) => memoryLine(model, memory)),
    },
  ];
}

function timeLine(what, ours, hashed) {
  const text = ({ best, median }) => `${best.toFixed(2)} / ${median.toFixed(2)}`;
  return { what, quintet: text(ours), peer: text(hashed), ...atMostTimes(MAX_TIME, ours.best / hashed.best) };
}

function memoryLine(model, { file, resident, idle, wasm }) {
  const ours = resident - idle;
  return {
    what: `${model}; WebAssembly has ${number(wasm / MEGABYTE)}`,
    quintet: number(ours / MEGABYTE),
    peer: number(file / MEGABYTE),
    ...atMostTimes(MAX_MEMORY, ours / file),
  };
}

/** The ratio is how many times as much quintet needs. */
const atMostTimes = (most, ratio) => ({ ratio, target: `<= ${most} x`, met: ratio <= most });
