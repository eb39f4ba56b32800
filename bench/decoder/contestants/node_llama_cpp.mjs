// node-llama-cpp: llama.cpp as native code, with all instructions that the processor has. What a page cannot have, to show
// how far it is.
import { speeds } from '../workload.mjs';

const ANY_WORD = 400;

export async function open({ model, contextSize = 512 }) {
  const { getLlama } = await import('node-llama-cpp');
  const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, logLevel: 'error', maxThreads: 1 });
  const loaded = await llama.loadModel({ modelPath: model, useMmap: false });
  const context = await loaded.createContext({ contextSize, batchSize: 512, threads: 1 });
  return new Native(context.getSequence());
}

class Native {
  #sequence;

  constructor(sequence) {
    this.#sequence = sequence;
  }

  async hold(ids) {
    await this.#sequence.clearHistory();
    await this.#sequence.evaluateWithoutGeneratingNewTokens(ids);
  }

  /** Its cache is float16, and so are the values of its file. */
  async throughFile(path) {
    const begin = performance.now();
    await this.#sequence.saveStateToFile(path);
    const saved = performance.now();
    await this.#sequence.clearHistory();
    const loading = performance.now();
    await this.#sequence.loadStateFromFile(path, { acceptRisk: true });
    return { save: saved - begin, load: performance.now() - loading };
  }

  async run(ids, answerTokens) {
    await this.#sequence.clearHistory();
    const begin = performance.now();
    await this.#sequence.evaluateWithoutGeneratingNewTokens(ids);
    const read = performance.now();
    let written = 0;
    for await (const _ of this.#sequence.evaluate([ANY_WORD], { temperature: 0, yieldEogToken: true })) {
      if (++written === answerTokens) break;
    }
    const decodeMs = performance.now() - read;
    return speeds({ promptTokens: ids.length, prefillMs: read - begin, answerTokens: written, decodeMs });
  }
}
