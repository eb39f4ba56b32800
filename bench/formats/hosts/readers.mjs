// What tells the tensors of a model file, by name: ours, a peer, and the least that any reader of safetensors must do. Each
// gives a function from a path to [name, shape][].
import { open } from 'node:fs/promises';

import { quintetEntry } from '../../shared/paths.mjs';

export const READERS = {
  async quintet() {
    const { inspect } = await import(quintetEntry());
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
