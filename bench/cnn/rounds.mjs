// Measures all contestants of one environment in turns: in every round each one runs for a moment, in an order that rotates.
// Only figures of one run are compared with each other.
import { ENVIRONMENTS } from './contestants.mjs';
import { TIMED_PICTURE } from './workload.mjs';

/** How long is measured: `quick` for a look, `full` for figures to be kept. Times in milliseconds. */
export const PACE = {
  quick: { rounds: 3, warmUp: 1000, slice: 400, coldStarts: 2 },
  full: { rounds: 10, warmUp: 2500, slice: 800, coldStarts: 7 },
};

/** `use` gets the open stages, { contestant, call, cpuMilliseconds } each. They are closed whatever happens. */
export async function withStages(environment, contestants, server, use) {
  const stages = [];
  try {
    for (const contestant of contestants) {
      const stage = await ENVIRONMENTS[environment].open(server);
      stages.push({ contestant, ...stage });
      await stage.call('open', contestant.options).catch((error) => {
        throw new Error(`${contestant.name} in ${environment}: ${error.message}`);
      });
    }
    return await use(stages);
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

/**
 * Samples in milliseconds by contestant's name. With `cpuTime` a sample is the processor time of a run, averaged over a
 * slice: on a busy machine it tells more than a clock on the wall.
 */
export async function measureInRounds(stages, { pace, cpuTime, log }) {
  const samples = Object.fromEntries(stages.map(({ contestant }) => [contestant.name, []]));
  for (const { call } of stages) {
    await call('setPicture', TIMED_PICTURE);
    await call('warmUp', pace.warmUp);
  }
  const measure = cpuTime ? meanCpuTime : wallTimes;
  for (let round = 0; round < pace.rounds; round++) {
    for (const stage of rotated(stages, round)) {
      samples[stage.contestant.name].push(...(await measure(stage, pace.slice)));
    }
    log(`round ${round + 1} of ${pace.rounds}`);
  }
  return samples;
}

function wallTimes(stage, milliseconds) {
  return stage.call('measure', milliseconds);
}

async function meanCpuTime(stage, milliseconds) {
  const begin = await stage.cpuMilliseconds();
  const { length } = await stage.call('measure', milliseconds);
  return [((await stage.cpuMilliseconds()) - begin) / length];
}

function rotated(items, by) {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
