// A file is there whole or not at all: others look into the shared folder at any time.
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes pieces beside `path` and renames at the end; what was at `path` stays until then. */
export async function writeAtomically(path, pieces) {
  // Not the process's number: containers that share a folder all have number 1.
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  const file = await open(temporary, 'wx');
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => {}); // it may be closed already
    await rm(temporary, { force: true });
    throw error;
  }
}
