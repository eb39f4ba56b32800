// Makes the files of the benchmark once: 1.5 GB under build/. They are made again when the code in this folder changes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { quintetEntry } from '../../shared/paths.mjs';
import { FOLDERS, INSPECTED } from '../paths.mjs';
import { writeFolder } from './folder.mjs';
import { writeGguf } from './gguf.mjs';
import { seededPools } from './seeded_bytes.mjs';

/** 500 MB in float16, 440 MB in float32. */
const LAYERS = { f16: 32, f32: 12 };

export async function prepareModels() {
  const root = dirname(INSPECTED.amb);
  const stampFile = join(root, '.made-by');
  const stamp = await hashOfThisFolder();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  process.stderr.write('making model files\n');
  await mkdir(root, { recursive: true });
  const pools = seededPools();
  await writeFolder(FOLDERS.f16, { layers: LAYERS.f16, dtype: 'F16', pool: pools.f16 });
  await writeFolder(FOLDERS.f32, { layers: LAYERS.f32, dtype: 'F32', pool: pools.f32 });
  await writeGguf(INSPECTED.gguf, LAYERS.f16);
  await writeAmb(INSPECTED.amb, FOLDERS.f16);
  // Last: a run that was interrupted starts again.
  await writeFile(stampFile, stamp);
}

async function writeAmb(path, folder) {
  const { convert } = await import(quintetEntry());
  const names = ['config.json', 'model.safetensors'];
  const files = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
  await pipeline(Readable.fromWeb(convert(files, { to: 'amb' })), createWriteStream(path));
}

async function hashOfThisFolder() {
  const hash = createHash('sha256');
  for (const name of (await readdir(import.meta.dirname)).sort()) {
    hash.update(await readFile(join(import.meta.dirname, name)));
  }
  return hash.digest('hex');
}
