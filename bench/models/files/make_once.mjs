// Files that a benchmark makes for itself, and makes again when the code that makes them changes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { quintetEntry } from '../../harness/paths.mjs';

/** Calls `make` unless the file `stampFile` holds `stamp`. It is written last: an interrupted run starts again. */
export async function makeOnce(what, stampFile, stamp, make) {
  const made = await readFile(stampFile, 'utf8').catch(() => '');
  if (made === stamp) return;
  console.error(`making ${what}`);
  await mkdir(dirname(stampFile), { recursive: true });
  await make();
  await writeFile(stampFile, stamp);
}

/** Of a folder of code, of this one, which it builds on, and of other files. */
export async function hashOfCode(folder, others = []) {
  const hash = createHash('sha256');
  for (const root of [folder, import.meta.dirname]) {
    const names = await readdir(root);
    for (const name of names.sort()) hash.update(await readFile(join(root, name)));
  }
  for (const file of others) hash.update(await readFile(file));
  return hash.digest('hex');
}

/** Writes what quintet's `convert` makes of a source. */
export async function convertTo(file, source, options) {
  const { convert } = await import(quintetEntry());
  await pipeline(Readable.fromWeb(convert(source, options)), createWriteStream(file));
}
