// quintet as its users call it. Every run is a session of its own: nothing of an earlier prompt is known.
import { speeds } from '../workload.mjs';

export async function open({ model, variant, platform }) {
  const { TextGenerator } = await platform.importLibrary('quintet');
  return new Quintet(await TextGenerator.load(platform.modelSource(model), { variant, threads: 1 }));
}

class Quintet {
  #generator;

  constructor(generator) {
    this.#generator = generator;
  }

  async run(ids, answerTokens) {
    const session = this.#generator.createSession();
    const generation = session.generate(ids, { maxTokens: answerTokens + 1, temperature: 0 });
    await generation.text();
    session.close();
    const { tokens, prefillMs, decodeMs } = await generation.finished;
    // The first token is chosen by what the prompt gave: it took no pass over the weights.
    return speeds({ promptTokens: ids.length, prefillMs, answerTokens: tokens - 1, decodeMs });
  }

  async likeliest(ids, count) {
    const logits = await this.#generator.logits(ids);
    const largest = logits.reduce((most, x) => Math.max(most, x), -Infinity);
    const total = logits.reduce((sum, x) => sum + Math.exp(x - largest), 0);
    const all = Array.from(logits, (x, id) => [id, x - largest - Math.log(total)]);
    return all.sort(([, a], [, b]) => b - a).slice(0, count);
  }
}
