// quintet as its users call it. Every run is a session of its own: nothing of an earlier prompt is known.
import { speeds } from '../workload.mjs';

export async function open({ model, platform, ...options }) {
  const { TextGenerator } = await platform.importLibrary('quintet');
  const generator = await TextGenerator.load(platform.modelSource(model), { threads: 1, ...options });
  return new Quintet(generator, platform);
}

class Quintet {
  #generator;
  #platform;
  /** Of hold(). */
  #session;

  constructor(generator, platform) {
    this.#generator = generator;
    this.#platform = platform;
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

  async writeForm(ids, grammar, mostTokens) {
    const session = this.#generator.createSession();
    const begin = performance.now();
    const generation = session.generate(ids, { grammar, maxTokens: mostTokens, temperature: 0 });
    const text = await generation.text();
    const end = performance.now();
    session.close();
    const { tokens, prefillMs } = await generation.finished;
    return { text, tokens, ms: end - begin - prefillMs };
  }

  async hold(ids) {
    this.#session = this.#generator.createSession();
    await this.#session.generate(ids, { maxTokens: 1, temperature: 0 }).text();
    this.#session.rewind(ids.length);
  }

  async throughMemory(options) {
    const begin = performance.now();
    const file = await this.#session.saveCache(options);
    const saved = performance.now();
    const copy = file.slice();
    const copied = performance.now();
    const restored = this.#generator.createSession();
    const loading = performance.now();
    await restored.loadCache(copy);
    const load = performance.now() - loading;
    restored.close();
    return { save: saved - begin, load, copy: copied - saved, bytes: file.length };
  }

  async throughFile(path, options) {
    const begin = performance.now();
    await this.#platform.writeFile(path, this.#session.cacheStream(options));
    const saved = performance.now();
    const restored = this.#generator.createSession();
    const loading = performance.now();
    await restored.loadCache(path);
    const load = performance.now() - loading;
    restored.close();
    return { save: saved - begin, load };
  }

  async differences() {
    const file = await this.#session.saveCache();
    const restored = this.#generator.createSession();
    await restored.loadCache(file.slice());
    const again = await restored.saveCache();
    const [expected, logits] = [await this.#session.logits(), await restored.logits()];
    restored.close();
    return { logits: differing(bytesOf(expected), bytesOf(logits)), file: differing(file, again) };
  }

  async likeliest(ids, count) {
    const logits = await this.#generator.logits(ids);
    const largest = logits.reduce((most, x) => Math.max(most, x), -Infinity);
    const total = logits.reduce((sum, x) => sum + Math.exp(x - largest), 0);
    const all = Array.from(logits, (x, id) => [id, x - largest - Math.log(total)]);
    return all.sort(([, a], [, b]) => b - a).slice(0, count);
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

function differing(a, b) {
  let count = Math.abs(a.length - b.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) count += a[i] !== b[i] ? 1 : 0;
  return count;
}
