// Measures all contestants of one environment in turns: in every round and for every batch each one runs for a moment,
// in an order that rotates. Only figures of one run are compared with each other.
import { openInChromium } from '../shared/hosts/chromium_host.mjs';
import { openInNode } from '../shared/hosts/node_host.mjs';
import { NODE_CHILD, PAGE } from './paths.mjs';

/** How long is measured: `quick` for a look, `full` for figures to be kept. Times in milliseconds. */
export const PACE = {
  quick: {
    rounds: 2,
    warmUp: 500,
    slice: 120,
    coldStarts: 2,
    sentenceCount: 128,
    leaveOut: ['32x64', 'sentences one by one'],
  },
  full: {
    rounds: 8,
    warmUp: 2000,
    slice: 400,
    coldStarts: 7,
    sentenceCount: Infinity,
    leaveOut: [],
  },
};

const WARM_UP_BATCH = '1x128';

/** `use` gets the open stages, { contestant, call, cpuMilliseconds } each. They are closed whatever happens. */
export async function withStages(environment, contestants, { server, batches }, use) {
  const stages = [];
  try {
    for (const contestant of contestants) {
      const stage = environment === 'node' ? openInNode(NODE_CHILD) : await openInChromium(server, PAGE);
      stages.push({ contestant, ...stage });
      await stage.call('open', contestant.options).catch((error) => {
        throw new Error(`${contestant.name} in ${environment}: ${error.message}`);
      });
      await stage.call('setBatches', batches);
    }
    return await use(stages);
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

/**
 * Samples in milliseconds by contestant's name and batch. With `cpuTime` a sample is the processor time of a run,
 * averaged over a slice: on a busy machine it tells more than a clock on the wall.
 */
export async function measureInRounds(stages, { pace, cpuTime, log }) {
  const samples = Object.fromEntries(stages.map(({ contestant }) => [contestant.name, {}]));
  for (const { call } of stages) await call('warmUp', WARM_UP_BATCH, pace.warmUp);
  const measure = cpuTime ? meanCpuTime : wallTimes;
  const batches = batchesOf(stages).filter((batch) => !pace.leaveOut.includes(batch));
  for (let round = 0; round < pace.rounds; round++) {
    for (const batch of batches) {
      for (const stage of rotated(stages, round)) {
        const { name, batches: own } = stage.contestant;
        if (!own.includes(batch)) continue;
        (samples[name][batch] ??= []).push(...(await measure(stage, batch, pace.slice)));
      }
    }
    log(`round ${round + 1} of ${pace.rounds}`);
  }
  return samples;
}

function wallTimes(stage, batch, milliseconds) {
  return stage.call('measure', batch, milliseconds);
}

async function meanCpuTime(stage, batch, milliseconds) {
  const begin = await stage.cpuMilliseconds();
  const { length } = await stage.call('measure', batch, milliseconds);
  return [((await stage.cpuMilliseconds()) - begin) / length];
}

function batchesOf(stages) {
  return [...new Set(stages.flatMap(({ contestant }) => contestant.batches))];
}

function rotated(items, by) {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
