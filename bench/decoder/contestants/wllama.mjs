// wllama: llama.cpp compiled to WebAssembly, in a page. Its own timing of the same calls: decode() of the prompt, then one
// token after another.
import { speeds } from '../workload.mjs';

export async function open({ model, platform }) {
  const { Wllama } = await platform.importLibrary('@wllama/wllama');
  const wllama = new Wllama(platform.wllamaFiles);
  const file = await (await fetch(model)).blob();
  await wllama.loadModel([file], { n_threads: 1, n_ctx: 512, n_batch: 512 });
  await wllama.samplingInit({ temp: 0 });
  return new LlamaCpp(wllama);
}

class LlamaCpp {
  #wllama;

  constructor(wllama) {
    this.#wllama = wllama;
  }

  async run(ids, answerTokens) {
    await this.#wllama.kvClear();
    const begin = performance.now();
    await this.#wllama.decode(ids, {});
    const read = performance.now();
    for (let i = 0; i < answerTokens; i++) {
      const { token } = await this.#wllama.samplingSample();
      await this.#wllama.decode([token], {});
    }
    const decodeMs = performance.now() - read;
    return speeds({ promptTokens: ids.length, prefillMs: read - begin, answerTokens, decodeMs });
  }

  async likeliest(ids, count) {
    await this.#wllama.kvClear();
    await this.#wllama.decode(ids, {});
    const tokens = await this.#wllama.getLogits(count);
    return tokens.map(({ token, p }) => [token, Math.log(p)]);
  }
}
