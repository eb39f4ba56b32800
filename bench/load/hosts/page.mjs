// A page that does one thing with a file. The conductor calls these functions by name.
import { CONTEXT_LENGTH } from './context_length.mjs';

const METHODS = {
  /** Hashes each chunk of a download. WebCrypto has no hash of a stream, but this is as much work. */
  async hash(url) {
    const begin = performance.now();
    const { body } = await fetch(url);
    for await (const chunk of body) await crypto.subtle.digest('SHA-256', chunk);
    return since(begin);
  },

  async load(url) {
    const { TextGenerator } = await import('quintet');
    const begin = performance.now();
    await TextGenerator.load(url, { contextLength: CONTEXT_LENGTH });
    return since(begin);
  },
};

const since = (begin) => ({ seconds: (performance.now() - begin) / 1000 });

globalThis.callStage = (method, ...args) => METHODS[method](...args);
