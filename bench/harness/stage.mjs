// One contestant on its stage: a process of Node or a page of Chromium. The conductor (rounds.mjs) tells it what to
// do and when, so that contestants take turns and a slow moment of the machine hits them alike.

/**
 * The `module` with the contestants exports
 * - `contestants`: library -> (options, platform) => contestant,
 * - `inputOf`, if contestants expect the data of a job in another form; never timed.
 *
 * A contestant of jobs has `run(input)`, which is timed, `answers(input)` as plain arrays, which cross process
 * borders, and may have `take(input)`: it puts the input into the library's own layout, and only a cold start times
 * it. Others have their own methods.
 */
export class Stage {
  #platform;
  #module;
  #contestant;
  #inputs = {};
  #taken;

  constructor(platform, module) {
    this.#platform = platform;
    this.#module = module;
  }

  async open(library, options) {
    this.#contestant = await this.#module.contestants[library](options, this.#platform);
  }

  /** `jobs`: name -> data. */
  setJobs(jobs) {
    const { inputOf = (data) => data } = this.#module;
    this.#inputs = Object.fromEntries(Object.entries(jobs).map(([name, data]) => [name, inputOf(data)]));
  }

  async answers(job) {
    this.#take(job);
    return this.#contestant.answers(this.#inputs[job]);
  }

  /** Milliseconds of each run: all that fit into the given time, but at least one. */
  async measure(job, milliseconds) {
    this.#take(job);
    const input = this.#inputs[job];
    return timed(milliseconds, () => this.#contestant.run(input));
  }

  cpuMilliseconds() {
    return this.#platform.cpuMilliseconds();
  }

  /**
   * Times a fresh stage, from importing the library to the first answers. In Node the result also has the peaks of
   * memory: when the model is loaded, after the first answers, and after `more`: jobs that then run, each for some
   * milliseconds.
   */
  async coldStart({ library, options, first, more }) {
    const memory = this.#platform.watchMemory?.();
    const begin = performance.now();
    await this.open(library, options);
    const loaded = memory?.();
    await this.answers(first);
    const milliseconds = performance.now() - begin;
    if (!memory) return { milliseconds };
    const started = memory();
    for (const [job, duration] of Object.entries(more)) await this.measure(job, duration);
    return { milliseconds, loaded, started, worked: memory(), weights: this.#contestant.weightBytes?.() };
  }

  /** A method of the stage by its name, or else of the contestant. */
  call(method, args) {
    return method in this ? this[method](...args) : this.#contestant[method](...args);
  }

  #take(job) {
    if (this.#taken === job) return;
    this.#contestant.take?.(this.#inputs[job]);
    this.#taken = job;
  }
}

/** Milliseconds of each run. */
export async function timed(milliseconds, run) {
  const samples = [];
  const end = performance.now() + milliseconds;
  do {
    const begin = performance.now();
    await run();
    samples.push(performance.now() - begin);
  } while (performance.now() < end);
  return samples;
}
