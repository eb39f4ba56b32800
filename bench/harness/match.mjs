// What most subjects consist of: contestants do the same jobs, their answers are compared, and then they run in turns.
import { takeTurns, withStages } from './rounds.mjs';

/**
 * `jobs`: name -> data. `answers`: names of the jobs whose answers are compared, `timed`: of those that are timed.
 * `pace`: { rounds, warmUp, slice }, the latter in milliseconds: in each round a job runs for a slice, after a round
 * to warm up, since engines compile hot code again while it runs. `cpuTime`: a sample is the processor time of a run,
 * averaged over a slice: on a busy machine it tells more than a clock on the wall.
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
