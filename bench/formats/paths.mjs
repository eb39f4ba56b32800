// Where the benchmark keeps its files.
import { join } from 'node:path';

import { REPOSITORY } from '../shared/paths.mjs';

const ROOT = join(REPOSITORY, 'build/bench/formats');
/** Folders with a config.json and a model.safetensors. */
export const FOLDERS = { f16: join(ROOT, 'llama-f16'), f32: join(ROOT, 'llama-f32') };
export const INSPECTED = {
  safetensors: join(FOLDERS.f16, 'model.safetensors'),
  amb: join(ROOT, 'llama-f16.amb'),
  gguf: join(ROOT, 'llama-f16.gguf'),
};
export const CONVERTED = join(ROOT, 'converted.amb');
export const CLI = join(REPOSITORY, 'dist/cli.js');
export const HOSTS = join(import.meta.dirname, 'hosts');
