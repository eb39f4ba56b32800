// Makes the models once: 10 GB under build/. They are made again when their shape or the code in this folder changes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ggufFile, MODELS_ROOT, quintetEntry, quintetFile } from '../paths.mjs';
import { MODELS } from '../shapes.mjs';
import { writeModel } from './gguf_model.mjs';

export async function prepareModels(names) {
  await mkdir(MODELS_ROOT, { recursive: true });
  for (const name of names) await prepareModel(name, MODELS[name]);
}

async function prepareModel(name, shape) {
  const stampFile = join(MODELS_ROOT, `.made-by-${name}`);
  const stamp = await hashOf(shape);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  process.stderr.write(`making the files of ${name}\n`);
  await writeModel(ggufFile(name), shape);
  if (shape.convert) {
    const { convert } = await import(quintetEntry());
    const converted = convert(ggufFile(name), shape.convert);
    await pipeline(Readable.fromWeb(converted), createWriteStream(quintetFile(name)));
  }
  // Last: a run that was interrupted starts again.
  await writeFile(stampFile, stamp);
}

/** Of a shape and the code in this folder. */
async function hashOf(shape) {
  const hash = createHash('sha256').update(JSON.stringify(shape));
  for (const name of (await readdir(import.meta.dirname)).sort()) {
    hash.update(await readFile(join(import.meta.dirname, name)));
  }
  return hash.digest('hex');
}
