// Readers of a model file's tensors: quintet, a peer, and the minimum that any reader of safetensors must do. Each
// opens a function from a path to [name, shape][].
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

const READERS = {
  async quintet(platform) {
    const { inspect } = await platform.importLibrary('quintet');
    return async (path) => (await inspect(path)).tensors.map(({ name, shape }) => [name, shape]);
  },

  async '@huggingface/gguf'() {
    const { gguf } = await import('@huggingface/gguf');
    return async (path) => {
      const { tensorInfos } = await gguf(path, { allowLocalFile: true });
      return tensorInfos.map(({ name, shape }) => [name, shape.map(Number)]);
    };
  },

  async 'JSON.parse'() {
    return async (path) => {
      const file = await open(path);
      const length = Buffer.alloc(8);
      await file.read(length, 0, 8, 0);
      const header = Buffer.alloc(Number(length.readBigUInt64LE()));
      await file.read(header, 0, header.length, 8);
      await file.close();
      const { __metadata__, ...tensors } = JSON.parse(header.toString());
      return Object.entries(tensors).map(([name, { shape }]) => [name, shape]);
    };
  },
};

export const contestants = Object.fromEntries(
  Object.entries(READERS).map(([library, openReader]) => [
    library,
    async (_, platform) => ({ inspect: (path, repetitions) => inspect(() => openReader(platform), path, repetitions) }),
  ]),
);

/** The first time in a fresh process, with the import, and again and again; what was found: { tensors, elements }. */
async function inspect(openReader, path, repetitions) {
  const begin = performance.now();
  const read = await openReader();
  const tensors = await read(path);
  const cold = performance.now() - begin;

  const before = bytesRead();
  await read(path);
  const bytes = bytesRead() - before;

  const warm = [];
  for (let i = 0; i < repetitions; i++) {
    const start = performance.now();
    await read(path);
    warm.push(performance.now() - start);
  }
  const sizes = tensors.map(([, shape]) => shape.reduce((product, dimension) => product * dimension, 1));
  return { cold, warm, bytes, tensors: tensors.length, elements: sizes.reduce((sum, size) => sum + size, 0) };
}

// The system's count of bytes that this process read from files, without those of the question itself.
function bytesRead() {
  const text = readFileSync('/proc/self/io', 'utf8');
  return Number(/^rchar: (\d+)$/m.exec(text)[1]) - text.length;
}
