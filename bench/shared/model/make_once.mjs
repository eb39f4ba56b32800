// Files that a benchmark makes for itself, and makes again when the code that makes them changes.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Calls `make` unless the file `stampFile` holds `stamp`. It is written last: a run that was interrupted starts again. */
export async function makeOnce(what, stampFile, stamp, make) {
  const made = await readFile(stampFile, 'utf8').catch(() => '');
  if (made === stamp) return;
  process.stderr.write(`making ${what}\n`);
  await make();
  await writeFile(stampFile, stamp);
}

/** Of a folder of code, of this one, which it builds on, and of other files. */
export async function hashOfCode(folder, others = []) {
  const hash = createHash('sha256');
  for (const root of [folder, import.meta.dirname]) {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(await readFile(file));
  }
  for (const file of others) hash.update(await readFile(file));
  return hash.digest('hex');
}
