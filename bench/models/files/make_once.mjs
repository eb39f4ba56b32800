// Files that a benchmark makes for itself, and makes again when the code that makes them changes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
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

/** The hash of folders of code, of files, and of this folder, which all of them build on. */
export async function hashOfCode(...paths) {
  const hash = createHash('sha256');
  for (const path of [...paths, import.meta.dirname]) {
    for (const file of await filesOf(path)) hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

async function filesOf(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  return (await readdir(path)).sort().map((name) => join(path, name));
}

/** Writes the result of quintet's `convert` for a source. */
export async function convertTo(file, source, options) {
  const { convert } = await import(quintetEntry());
  await pipeline(Readable.fromWeb(convert(source, options)), createWriteStream(file));
}
