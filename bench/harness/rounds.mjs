// Contestants that take turns. Only figures of one run are compared with each other.
//
// A contestant: { name, module, library, options, environment, jobs, maxRounds }; `module` is the file that has it, for
// stage.mjs, and `jobs` the names of those that it takes part in (all, where there is no such list).
import { ENVIRONMENTS } from './environments.mjs';

/** `use` gets the open stages, { contestant, call, cpuMilliseconds } each. They are closed in any case. */
export async function withStages(contestants, jobs, use) {
  const stages = [];
  try {
    for (const contestant of contestants) {
      const { name, environment = 'node', module, library, options } = contestant;
      const stage = await ENVIRONMENTS[environment].open(module);
      stages.push({ contestant, ...stage });
      await stage.call('setJobs', jobs);
      await stage.call('open', library, options).catch((error) => {
        throw new Error(`${name} in ${environment}: ${error.message}`);
      });
    }
    return await use(stages);
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

/**
 * In every round, and for every job, each stage runs once, in an order that rotates. Round 0 warms up and is not
 * counted. `run(stage, job, round)` gives samples, numbers and lists of them, in an object, at any depth; the result
 * has all of them as lists, by contestant's name.
 */
export async function takeTurns(stages, { rounds, jobs = [undefined], title }, run) {
  const samples = Object.fromEntries(stages.map(({ contestant }) => [contestant.name, {}]));
  for (let round = 0; round <= rounds; round++) {
    for (const job of jobs) {
      for (const stage of rotated(stages, round)) {
        const { name, jobs: own = jobs, maxRounds = rounds } = stage.contestant;
        if (!own.includes(job) || round > maxRounds) continue;
        const measured = await run(stage, job, round);
        if (round > 0) keep(samples[name], measured);
      }
    }
    console.error(`${title}: ${round === 0 ? 'warmed up' : `round ${round} of ${rounds}`}`);
  }
  return samples;
}

function keep(samples, measured) {
  for (const [key, value] of Object.entries(measured)) {
    if (typeof value === 'object' && !Array.isArray(value)) keep((samples[key] ??= {}), value);
    else (samples[key] ??= []).push(...[value].flat());
  }
}

function rotated(items, by) {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Measurements that need no stages: each runs once a round. Returns lists of their results, by name. */
export async function alternate(rounds, measurements) {
  const samples = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const [name, measure] of Object.entries(measurements)) samples[name].push(await measure());
    console.error(`round ${round} of ${rounds}`);
  }
  return samples;
}

/**
 * The procedure of most subjects: contestants do the same jobs, their answers are compared, and then they run in turns.
 *
 * `jobs`: name -> data. `answers`: names of the jobs whose answers are compared, `timed`: of those that are timed.
 * `pace`: { rounds, warmUp, slice }, the latter in milliseconds: in each round a job runs for a slice, after a round to
 * warm up, since engines compile hot code again while it runs. `cpuTime`: a sample is the processor time of a run,
 * averaged over a slice: on a busy machine it is more reliable than a clock on the wall.
 *
 * Gives { answers, times }: by contestant's name and by job, lists of answers, and lists of milliseconds.
 */
export function match({ title, contestants, jobs, answers = [], timed = Object.keys(jobs), pace, cpuTime = false }) {
  return withStages(contestants, jobs, async (stages) => ({
    answers: await collectAnswers(stages, answers),
    times: await measureJobs(stages, { title, timed, pace, measure: cpuTime ? meanCpuTime : wallTimes }),
  }));
}

async function collectAnswers(stages, jobs) {
  const all = {};
  for (const { contestant, call } of stages) {
    all[contestant.name] = {};
    for (const job of jobs) all[contestant.name][job] = await call('answers', job);
  }
  return all;
}

async function measureJobs(stages, { title, timed, pace, measure }) {
  const jobs = timed.filter((job) => stages.some(({ contestant }) => contestant.jobs?.includes(job) ?? true));
  return takeTurns(stages, { rounds: pace.rounds, jobs, title }, async (stage, job, round) => ({
    [job]: await measure(stage, job, round === 0 ? pace.warmUp : pace.slice),
  }));
}

const wallTimes = ({ call }, job, milliseconds) => call('measure', job, milliseconds);

async function meanCpuTime({ call, cpuMilliseconds }, job, milliseconds) {
  const begin = await cpuMilliseconds();
  const { length } = await call('measure', job, milliseconds);
  return ((await cpuMilliseconds()) - begin) / length;
}
