// quintet's text generator as its users call it. Every run is a session of its own: nothing of an earlier prompt is
// known.

export async function openQuintet({ model, ...options }, platform) {
  const { capabilities, TextGenerator } = await platform.importLibrary('quintet');
  const generator = await TextGenerator.load(platform.modelSource(model), { threads: 1, ...options });
  return new Quintet(generator, capabilities, platform);
}

class Quintet {
  #generator;
  #capabilities;
  #platform;
  /** Of hold(). */
  #session;

  constructor(generator, capabilities, platform) {
    this.#generator = generator;
    this.#capabilities = capabilities;
    this.#platform = platform;
  }

  async generate(ids, answerTokens) {
    const { finished } = await this.#generateIn(ids, { maxTokens: answerTokens + 1 });
    const { tokens, prefillMs, decodeMs } = finished;
    // The first token is chosen by what the prompt gave: it took no pass over the weights.
    return { prefill: (1000 * ids.length) / prefillMs, decode: (1000 * (tokens - 1)) / decodeMs };
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

  /** What a restored session has that the saved one has not: numbers of bytes { logits, file }. */
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
