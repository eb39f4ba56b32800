// Files are written completely or not at all, since others may read the shared folder at any time.
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes pieces to a temporary file and renames it at the end; an existing file stays until then. */
export async function writeAtomically(path, pieces) {
  // A random name rather than the process id: in containers that share a folder it is always 1.
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
