// Text generators. Each has `generate(ids, answerTokens)`: tokens per second of reading ids and of writing more,
// always the most probable token: { prefill, decode }. Some have more; quintet has all.
import { promptIds } from '../jobs/decoding.mjs';
import { biasToLongTokens, FORM_SCHEMA, quotingAnswer } from '../jobs/guesses.mjs';

export const contestants = {
  quintet: openQuintet,
  wllama: openWllama,
  'wllama-3': openWllama3,
  'node-llama-cpp': openNative,
};

/** Every run has its own session, which knows nothing of earlier prompts. */
async function openQuintet({ model, ...options }, platform) {
  const { capabilities, TextGenerator } = await platform.importLibrary('quintet');
  const generator = await TextGenerator.load(platform.modelSource(model), { threads: 1, ...options });
  return new Quintet(generator, capabilities, platform);
}

class Quintet {
  #generator;
  #capabilities;
  #platform;
  /** The session of hold(). */
  #session;
  /** The options of the text of beginText(). */
  #text;

  constructor(generator, capabilities, platform) {
    this.#generator = generator;
    this.#capabilities = capabilities;
    this.#platform = platform;
  }

  async generate(ids, answerTokens) {
    const { finished } = await this.#generateIn(ids, { maxTokens: answerTokens + 1 });
    const { tokens, prefillMs, decodeMs } = finished;
    // The first token comes from the pass of the prompt and needs no other.
    return { prefill: (1000 * ids.length) / prefillMs, decode: (1000 * (tokens - 1)) / decodeMs };
  }

  /**
   * Tokens per second of `count` texts at once, `tokens` of each, and of reading a prompt with the same number of
   * tokens in a pass over the weights: { together, prompt }. Each text continues different ids.
   */
  async together(count, ids, tokens) {
    const sessions = Array.from({ length: count }, () => this.#generator.createSession());
    const read = (session, i) => session.generate([...ids, i + 1], { maxTokens: 1 }).finished;
    const summaries = await Promise.all(sessions.map(read));
    for (const session of sessions) session.rewind(ids.length + 1);
    const begin = performance.now();
    // Each text needs a pass for its prompt, and one for each token but the last.
    const told = sessions.map((session, i) => session.generate([i + 1], { temperature: 0, maxTokens: tokens }));
    const ends = await Promise.all(told.map(({ finished }) => finished));
    const ms = performance.now() - begin;
    const [first] = sessions;
    first.rewind(summaries[0].promptTokens);
    const reading = await first.generate(ids.slice(-count), { maxTokens: 1 }).finished;
    for (const session of sessions) session.close();
    const passes = ends.reduce((sum, end) => sum + end.tokens, 0);
    return { together: (1000 * passes) / ms, prompt: (1000 * count) / reading.prefillMs };
  }

  /** Whether `count` texts at once equal those that each prompt gives alone. */
  async togetherAsAlone(count, ids, tokens) {
    const options = { temperature: 0, maxTokens: tokens };
    const prompts = Array.from({ length: count }, (_, i) => [...ids.slice(0, ids.length - i), i + 1]);
    const texts = await Promise.all(this.#generator.generateMany(prompts, options).map((each) => each.text()));
    for (const [i, prompt] of prompts.entries())
      if ((await this.#generateIn(prompt, options)).text !== texts[i]) return false;
    return true;
  }

  /** `ms` is the time after the prompt: { text, tokens, ms }. */
  async generateByGrammar(ids, grammar, maxTokens) {
    const { text, finished, ms } = await this.#generateIn(ids, { grammar, maxTokens });
    return { text, tokens: finished.tokens, ms: ms - finished.prefillMs };
  }

  async #generateIn(ids, options) {
    const session = this.#generator.createSession();
    const begin = performance.now();
    const generation = session.generate(ids, { temperature: 0, ...options });
    const text = await generation.text();
    const ms = performance.now() - begin;
    session.close();
    return { text, finished: await generation.finished, ms };
  }

  /** Reads the prompt of a text: 'form', 'quotes' or 'free'. */
  async beginText(job, vocabulary) {
    const { ids, ...options } = await this.#jobOf(job, vocabulary);
    this.#text = options;
    await this.hold(ids);
  }

  /** Writes it, with guesses or without: { ids, guessed }. */
  async writeText(maxTokens, promptLookup) {
    const begin = this.#session.length;
    const generation = this.#session.generate([], { maxTokens, seed: 1, ...this.#text, promptLookup });
    const { guessed = 0 } = await generation.finished;
    const ids = [...this.#session.tokens.slice(begin)];
    this.#session.close();
    return { ids, guessed };
  }

  async #jobOf(job, vocabulary) {
    if (job === 'quotes') {
      const { ids, grammar, bias, tokens } = quotingAnswer(vocabulary);
      return { ids, grammar, logitBias: bias, maxTokens: tokens };
    }
    const ids = promptIds(vocabulary);
    if (job === 'free') return { ids, temperature: 1 };
    const all = Array.from({ length: vocabulary }, (_, id) => id);
    const logitBias = biasToLongTokens(await this.#generator.tokenTexts(all));
    return { ids, jsonSchema: FORM_SCHEMA, logitBias, temperature: 0, maxTokens: 400 };
  }

  /** Natural logarithms of the probabilities of the token after `ids`: [id, logarithm][], most probable first. */
  async likeliest(ids, count) {
    const logits = await this.#generator.logits(ids);
    const largest = logits.reduce((most, x) => Math.max(most, x), -Infinity);
    const total = logits.reduce((sum, x) => sum + Math.exp(x - largest), 0);
    const all = Array.from(logits, (x, id) => [id, x - largest - Math.log(total)]);
    return all.sort(([, a], [, b]) => b - a).slice(0, count);
  }

  /** Peaks after reading and writing, in bytes: { weights, wasm, resident }. Only in Node. */
  async memoryAfter(ids, answerTokens) {
    await this.#generator.generate(ids, { maxTokens: answerTokens, temperature: 0 }).text();
    const { weights } = this.#generator.info.memory;
    const { heapBytes } = this.#capabilities().memory;
    return { weights, wasm: heapBytes, resident: this.#platform.peakResidentBytes() };
  }

  /** A session reads `ids`; then its KV cache can be saved and restored. */
  async hold(ids) {
    this.#session = this.#generator.createSession();
    await this.#session.generate(ids, { maxTokens: 1, temperature: 0 }).text();
    this.#session.rewind(ids.length);
  }

  /** Milliseconds to memory and into another session: { save, load, copy }, `copy` of the same bytes; and `bytes`. */
  async throughMemory(options) {
    const begin = performance.now();
    const file = await this.#session.saveCache(options);
    const saved = performance.now();
    const copy = file.slice();
    const copied = performance.now();
    const load = await this.#timeToLoad(copy);
    return { save: saved - begin, load, copy: copied - saved, bytes: file.length };
  }

  /** Milliseconds to a file and back: { save, load }. */
  async throughFile(path, options) {
    const begin = performance.now();
    await this.#platform.writeFile(path, this.#session.cacheStream(options));
    const saved = performance.now();
    return { save: saved - begin, load: await this.#timeToLoad(path) };
  }

  async #timeToLoad(file) {
    const restored = this.#generator.createSession();
    const begin = performance.now();
    await restored.loadCache(file);
    const time = performance.now() - begin;
    restored.close();
    return time;
  }

  /** Compares a restored session with the saved one: numbers of differing bytes { logits, file }. */
  async differences() {
    const file = await this.#session.saveCache();
    const restored = this.#generator.createSession();
    await restored.loadCache(file.slice());
    const again = await restored.saveCache();
    const [expected, logits] = [await this.#session.logits(), await restored.logits()];
    restored.close();
    return { logits: differing(bytesOf(expected), bytesOf(logits)), file: differing(file, again) };
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

function differing(a, b) {
  let count = Math.abs(a.length - b.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) count += a[i] !== b[i] ? 1 : 0;
  return count;
}

/** llama.cpp compiled to WebAssembly, in a page. The same calls are timed: the prompt, then one token after another. */
async function openWllama({ model }, platform) {
  const { Wllama } = await platform.importLibrary('@wllama/wllama');
  const folder = '/bench/node_modules/@wllama/wllama/esm/';
  const files = ['single-thread/wllama.wasm', 'multi-thread/wllama.wasm'].map((file) => [file, folder + file]);
  const wllama = new Wllama(Object.fromEntries(files));
  await wllama.loadModel([await blobOf(model)], { n_threads: 1, n_ctx: 512, n_batch: 512 });
  await wllama.samplingInit({ temp: 0 });
  return {
    async generate(ids, answerTokens) {
      await wllama.kvClear();
      const begin = performance.now();
      await wllama.decode(ids, {});
      const read = performance.now();
      for (let i = 0; i < answerTokens; i++) {
        const { token } = await wllama.samplingSample();
        await wllama.decode([token], {});
      }
      const decodeMs = performance.now() - read;
      return speeds({ promptTokens: ids.length, prefillMs: read - begin, answerTokens, decodeMs });
    },

    async likeliest(ids, count) {
      await wllama.kvClear();
      await wllama.decode(ids, {});
      const tokens = await wllama.getLogits(count);
      return tokens.map(({ token, p }) => [token, Math.log(p)]);
    },
  };
}

/**
 * llama.cpp's server compiled to WebAssembly, in a page, with the GPU switched off. It accepts only whole requests, and
 * only text: the times are those that it reports of a completion, and the prompt has about as many tokens as the ids.
 */
async function openWllama3({ model }, platform) {
  const { Wllama } = await platform.importLibrary('wllama-3');
  const files = { default: '/bench/node_modules/wllama-3/esm/wasm/wllama.wasm' };
  const wllama = new Wllama(files, { suppressNativeLog: true });
  const sizes = { n_threads: 1, n_gpu_layers: 0, n_ctx: 512, n_batch: 512, n_parallel: 1 };
  await wllama.loadModel([await blobOf(model)], { ...sizes, warmup: false });
  const complete = (ids, maxTokens, options) =>
    wllama.createCompletion({
      prompt: textOf(ids.length),
      max_tokens: maxTokens,
      temperature: 0,
      cache_prompt: false,
      ...options,
    });
  return {
    async generate(ids, answerTokens) {
      const { timings } = await complete(ids, answerTokens, { ignore_eos: true });
      const { prompt_n: promptTokens, prompt_ms: prefillMs, predicted_n: written, predicted_ms: decodeMs } = timings;
      return speeds({ promptTokens, prefillMs, answerTokens: written, decodeMs });
    },

    async generateByGrammar(ids, grammar, maxTokens) {
      const { choices, timings } = await complete(ids, maxTokens, { grammar });
      return { text: choices[0].text, tokens: timings.predicted_n, ms: timings.predicted_ms };
    },
  };
}

const blobOf = async (url) => (await fetch(url)).blob();

/** A letter with a space in front is one token or two in the vocabularies of the models. */
const textOf = (tokens) => Array.from({ length: tokens }, (_, i) => String.fromCharCode(97 + (i % 26))).join(' ');

const ANY_WORD = 400;

/**
 * llama.cpp as native code, with all instructions of the processor: which a page cannot have; it shows the remaining
 * distance.
 */
async function openNative({ model, contextSize = 512 }) {
  const { getLlama } = await import('node-llama-cpp');
  const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, logLevel: 'error', maxThreads: 1 });
  const loaded = await llama.loadModel({ modelPath: model, useMmap: false });
  const context = await loaded.createContext({ contextSize, batchSize: 512, threads: 1 });
  const sequence = context.getSequence();
  const read = async (ids) => {
    await sequence.clearHistory();
    const begin = performance.now();
    await sequence.evaluateWithoutGeneratingNewTokens(ids);
    return performance.now() - begin;
  };
  return {
    async generate(ids, answerTokens) {
      const prefillMs = await read(ids);
      const begin = performance.now();
      let written = 0;
      for await (const _ of sequence.evaluate([ANY_WORD], { temperature: 0, yieldEogToken: true })) {
        if (++written === answerTokens) break;
      }
      const decodeMs = performance.now() - begin;
      return speeds({ promptTokens: ids.length, prefillMs, answerTokens: written, decodeMs });
    },

    hold: read,

    /** Its cache is float16, and so are the values of its file. */
    async throughFile(path) {
      const begin = performance.now();
      await sequence.saveStateToFile(path);
      const saved = performance.now();
      await sequence.clearHistory();
      const loading = performance.now();
      await sequence.loadStateFromFile(path, { acceptRisk: true });
      return { save: saved - begin, load: performance.now() - loading };
    },
  };
}

/** Tokens per second. */
function speeds({ promptTokens, prefillMs, answerTokens, decodeMs }) {
  return { prefill: (1000 * promptTokens) / prefillMs, decode: (1000 * answerTokens) / decodeMs };
}
