// Text generators. Each has `generate(ids, answerTokens)`: tokens per second of reading ids and of writing more,
// always the most probable token: { prefill, decode }. Some have more; quintet_generator.mjs has all.
import { openQuintet } from './quintet_generator.mjs';

export const contestants = {
  quintet: openQuintet,
  wllama: openWllama,
  'wllama-3': openWllama3,
  'node-llama-cpp': openNative,
};

/** llama.cpp compiled to WebAssembly, in a page. Timed around the same calls: of the prompt, then one token after another. */
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
 * llama.cpp's server compiled to WebAssembly, in a page, with the GPU switched off. It takes only whole requests, and
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

/** llama.cpp as native code, with all instructions of the processor: what a page cannot have, to show how far it is. */
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
