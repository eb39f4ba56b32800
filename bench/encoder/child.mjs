// A process of Node with one contestant. The parent calls these functions by name.
import { openOnnxRuntime, openQuintet } from './contestants.mjs';

let contestant;
let jobs;

const cpuMilliseconds = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const methods = {
  async open({ library, jobs: all, ...options }) {
    jobs = all;
    contestant = await (library === 'quintet' ? openQuintet : openOnnxRuntime)(options);
  },
  answers: (job) => contestant.answers(jobs[job]),
  /** Processor time of one run in milliseconds, of as many as fit the given time. */
  async measure(job, milliseconds) {
    const end = performance.now() + milliseconds;
    const begin = cpuMilliseconds();
    let runs = 0;
    do {
      await contestant.run(jobs[job]);
      ++runs;
    } while (performance.now() < end);
    return (cpuMilliseconds() - begin) / runs;
  },
};

process.on('message', async ({ method, args }) => {
  try {
    process.send({ result: await methods[method](...args) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
