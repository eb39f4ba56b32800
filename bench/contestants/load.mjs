// Work that is done once with a large GGUF file, in a fresh process or page; times in seconds.

/** The models are loaded with a short context, so that their KV cache is small. */
const CONTEXT_LENGTH = 512;
const CHUNK = 1 << 20;

export const contestants = {
  async quintet(_, platform) {
    const { capabilities, TextGenerator } = await platform.importLibrary('quintet');
    return {
      async load(file, integrity) {
        const begin = performance.now();
        const options = { contextLength: CONTEXT_LENGTH, ...(integrity === undefined ? {} : { integrity }) };
        await TextGenerator.load(platform.modelSource(file), options);
        return { ...since(begin), wasm: capabilities().memory.heapBytes };
      },
      residentBytes: () => platform.peakResidentBytes(),
    };
  },

  /** Reads a chunk, then hashes it, like a program that only checks its file. */
  'node:crypto': async () => ({
    async hash(file) {
      const [{ createHash }, { open }] = await Promise.all([import('node:crypto'), import('node:fs/promises')]);
      const begin = performance.now();
      const handle = await open(file);
      const hash = createHash('sha256');
      const buffer = new Uint8Array(CHUNK);
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK);
        if (bytesRead === 0) break;
        hash.update(buffer.subarray(0, bytesRead));
      }
      await handle.close();
      return { digest: `sha256-${hash.digest('base64')}`, ...since(begin) };
    },
  }),

  /** Hashes each chunk of a download. WebCrypto cannot hash a stream, but this is the same amount of work. */
  'crypto.subtle': async () => ({
    async hash(url) {
      const begin = performance.now();
      const { body } = await fetch(url);
      for await (const chunk of body) await crypto.subtle.digest('SHA-256', chunk);
      return since(begin);
    },
  }),
};

const since = (begin) => ({ seconds: (performance.now() - begin) / 1000 });
