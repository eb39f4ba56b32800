// One contestant on its stage: a process of Node or a page of Chromium. The conductor (../rounds.mjs) tells it what to
// measure and when, so that contestants take turns and a slow moment of the machine hits them alike.
import { measureSearch } from './search.mjs';

const OPENERS = {
  quintet: () => import('./quintet.mjs'),
  'onnxruntime-web': () => import('./onnxruntime_web.mjs'),
  'transformers.js': () => import('./transformers.mjs'),
};

export class Stage {
  #platform;
  #batches = {};
  #contestant;

  constructor(platform) {
    this.#platform = platform;
  }

  async open({ library, ...options }) {
    const { open } = await OPENERS[library]();
    this.#contestant = await open({ ...options, platform: this.#platform });
  }

  /** `batches`: name -> list of batches, each { ids, texts }; one run goes through the list. */
  setBatches(batches) {
    this.#batches = batches;
  }

  /** Engines compile hot code again while it runs; no sample is taken before that is over. */
  async warmUp(name, milliseconds) {
    const end = performance.now() + milliseconds;
    do await this.#run(name);
    while (performance.now() < end);
  }

  /** Milliseconds of each run, of as many as fit the given time, but at least one. */
  async measure(name, milliseconds) {
    const samples = [];
    const end = performance.now() + milliseconds;
    do {
      const begin = performance.now();
      await this.#run(name);
      samples.push(performance.now() - begin);
    } while (performance.now() < end);
    return samples;
  }

  /** The vectors of all texts of a list of batches, as plain arrays, which cross process borders. */
  async vectors(name) {
    const vectors = [];
    for (const batch of this.#batches[name])
      vectors.push(...(await this.#contestant.vectors(batch)));
    return vectors.map((vector) => Array.from(vector));
  }

  cpuMilliseconds() {
    return this.#platform.cpuMilliseconds();
  }

  search(settings) {
    return measureSearch(this.#platform, settings);
  }

  async #run(name) {
    for (const batch of this.#batches[name]) await this.#contestant.run(batch);
  }
}
