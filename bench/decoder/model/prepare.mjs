// Makes the models once: 1.3 GB under build/. They are made again when the code in this folder changes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ambFile, ggufFile, MODELS_ROOT, quintetEntry } from '../paths.mjs';
import { SHAPES } from '../shapes.mjs';
import { writeModel } from './gguf_model.mjs';

export async function prepareModels() {
  const stampFile = join(MODELS_ROOT, '.made-by');
  const stamp = await hashOfThisFolder();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  process.stderr.write('making model files\n');
  await mkdir(MODELS_ROOT, { recursive: true });
  const { convert } = await import(quintetEntry());
  for (const [name, shape] of Object.entries(SHAPES)) {
    await writeModel(ggufFile(name), shape);
    const converted = convert(ggufFile(name), { to: 'amb', quantize: 'int4block', groupSize: 32 });
    await pipeline(Readable.fromWeb(converted), createWriteStream(ambFile(name)));
  }
  // Last: a run that was interrupted starts again.
  await writeFile(stampFile, stamp);
}

async function hashOfThisFolder() {
  const hash = createHash('sha256');
  for (const name of (await readdir(import.meta.dirname)).sort()) {
    hash.update(await readFile(join(import.meta.dirname, name)));
  }
  return hash.digest('hex');
}
