// One contestant on its stage: a process of Node or a page of Chromium. The conductor (../rounds.mjs) tells it what to
// measure and when, so that contestants take turns and a slow moment of the machine hits them alike.
import { picture, planesOf } from '../model/picture.mjs';
import { INPUT_CHANNELS, INPUT_SIDE } from '../model/resnet.mjs';

const OPENERS = {
  quintet: () => import('./quintet.mjs'),
  'onnxruntime-web': () => import('./onnxruntime_web.mjs'),
  'tfjs-backend-wasm': () => import('./tfjs.mjs'),
};
const SHAPE = [INPUT_CHANNELS, INPUT_SIDE, INPUT_SIDE];

export class Stage {
  #platform;
  #contestant;

  constructor(platform) {
    this.#platform = platform;
  }

  async open({ library, ...options }) {
    const { open } = await OPENERS[library]();
    this.#contestant = await open({ ...options, platform: this.#platform });
  }

  /** What is classified from now on. Each library gets it in the layout that it asks for, before anything is timed. */
  setPicture(seed) {
    this.setInput(planesOf(picture(seed)));
  }

  setInput(planes) {
    this.#contestant.setInput(planes, SHAPE);
  }

  /** Engines compile hot code again while it runs; no sample is taken before that is over. */
  async warmUp(milliseconds) {
    await this.measure(milliseconds);
  }

  /** Milliseconds of each run, of as many as fit the given time, but at least one. */
  measure(milliseconds) {
    return timed(milliseconds, () => this.#contestant.logits());
  }

  /** As a plain array, which crosses process borders. */
  async logits() {
    return Array.from(await this.#contestant.logits());
  }

  /** Milliseconds from the bytes of a picture's file to its labels. */
  async measurePicture(file, milliseconds) {
    const bytes = await this.#platform.readFile(file);
    return timed(milliseconds, () => this.#contestant.classify(bytes));
  }

  /** Of quintet: bytes of the weights in memory. */
  weightBytes() {
    return this.#contestant.weightBytes?.();
  }

  cpuMilliseconds() {
    return this.#platform.cpuMilliseconds();
  }
}

async function timed(milliseconds, run) {
  const samples = [];
  const end = performance.now() + milliseconds;
  do {
    const begin = performance.now();
    await run();
    samples.push(performance.now() - begin);
  } while (performance.now() < end);
  return samples;
}
