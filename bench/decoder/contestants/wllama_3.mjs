// wllama 3: llama.cpp's server compiled to WebAssembly, in a page, with the GPU switched off. It takes only whole requests, and
// only text: the times are those that it reports of a completion, and the prompt has about as many tokens as the ids.
import { speeds } from '../workload.mjs';

export async function open({ model, platform }) {
  const { Wllama } = await platform.importLibrary('wllama-3');
  const wllama = new Wllama(platform.wllama3Files, { suppressNativeLog: true });
  const file = await (await fetch(model)).blob();
  await wllama.loadModel([file], { n_threads: 1, n_gpu_layers: 0, n_ctx: 512, n_batch: 512, n_parallel: 1, warmup: false });
  return new LlamaServer(wllama);
}

class LlamaServer {
  #wllama;

  constructor(wllama) {
    this.#wllama = wllama;
  }

  async run(ids, answerTokens) {
    const { timings } = await this.#complete(textOf(ids.length), answerTokens);
    return speeds({
      promptTokens: timings.prompt_n,
      prefillMs: timings.prompt_ms,
      answerTokens: timings.predicted_n,
      decodeMs: timings.predicted_ms,
    });
  }

  async writeForm(ids, grammar, mostTokens) {
    const { choices, timings } = await this.#wllama.createCompletion({
      prompt: textOf(ids.length),
      max_tokens: mostTokens,
      temperature: 0,
      grammar,
      cache_prompt: false,
    });
    return { text: choices[0].text, tokens: timings.predicted_n, ms: timings.predicted_ms };
  }

  #complete(prompt, answerTokens) {
    return this.#wllama.createCompletion({
      prompt,
      max_tokens: answerTokens,
      temperature: 0,
      ignore_eos: true,
      cache_prompt: false,
    });
  }
}

/** A letter with a space in front is one token or two in the vocabularies of the models. */
const textOf = (tokens) => Array.from({ length: tokens }, (_, i) => String.fromCharCode(97 + (i % 26))).join(' ');
