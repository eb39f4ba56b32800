// One contestant on its stage: a process of Node or a page of Chromium. The conductor (../rounds.mjs) tells it when to run,
// so that contestants take turns and a slow moment of the machine hits them alike.
const OPENERS = {
  quintet: () => import('./quintet.mjs'),
  wllama: () => import('./wllama.mjs'),
  'wllama-3': () => import('./wllama_3.mjs'),
  'node-llama-cpp': () => import('./node_llama_cpp.mjs'),
};

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

  /** Tokens per second of reading `ids` and of writing `answerTokens` more: { prefill, decode }. */
  run(ids, answerTokens) {
    return this.#contestant.run(ids, answerTokens);
  }

  /** Reads `ids` and writes a text of a grammar; `ms` is the time after the prompt: { text, tokens, ms }. */
  writeForm(ids, grammar, mostTokens) {
    return this.#contestant.writeForm(ids, grammar, mostTokens);
  }

  /** A session reads `ids`; then its KV cache can be saved and restored. */
  hold(ids) {
    return this.#contestant.hold(ids);
  }

  /** Milliseconds of one time to memory and into another session: { save, load, copy }, `copy` of the same bytes; and `bytes`. */
  throughMemory(options) {
    return this.#contestant.throughMemory(options);
  }

  /** Milliseconds of one time to a file and back: { save, load }. */
  throughFile(path, options) {
    return this.#contestant.throughFile(path, options);
  }

  /** What a restored session has that the saved one has not: numbers of bytes { logits, file }. */
  differences() {
    return this.#contestant.differences();
  }

  /** Natural logarithms of the probabilities of the token after `ids`: [id, logarithm][], most probable first. */
  likeliest(ids, count) {
    return this.#contestant.likeliest(ids, count);
  }
}
