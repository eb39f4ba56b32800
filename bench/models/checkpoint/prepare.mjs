// The files of the formats benchmark, made once: 1.5 GB. They are made again when the code in this folder changes.
import { join } from 'node:path';

import { MADE } from '../../harness/paths.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { writeFolder } from './folder.mjs';
import { writeGguf } from './gguf.mjs';
import { seededPools } from './seeded_bytes.mjs';

const fileOf = (name) => join(MADE, 'formats', name);
/** 500 MB in float16, 440 MB in float32. */
export const LAYERS = { f16: 32, f32: 12 };

/** Folders with a config.json and a model.safetensors. */
export const FOLDERS = { f16: fileOf('llama-f16'), f32: fileOf('llama-f32') };
export const INSPECTED = {
  safetensors: join(FOLDERS.f16, 'model.safetensors'),
  amb: fileOf('llama-f16.amb'),
  gguf: fileOf('llama-f16.gguf'),
};
export const CONVERTED = fileOf('converted.amb');

export async function prepareModels() {
  await makeOnce('model files', fileOf('.made-by'), await hashOfCode(import.meta.dirname), async () => {
    const pools = seededPools();
    await writeFolder(FOLDERS.f16, { layers: LAYERS.f16, dtype: 'F16', pool: pools.f16 });
    await writeFolder(FOLDERS.f32, { layers: LAYERS.f32, dtype: 'F32', pool: pools.f32 });
    await writeGguf(INSPECTED.gguf, LAYERS.f16);
    const names = ['config.json', 'model.safetensors'];
    const source = Object.fromEntries(names.map((name) => [name, join(FOLDERS.f16, name)]));
    await convertTo(INSPECTED.amb, source, { to: 'amb' });
  });
}
