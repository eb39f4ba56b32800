// The pictures of a folder and of those in it.
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ioError, messageOf } from '../../base/errors.js';

/** Endings of the files that Node decodes, and of others that people have among them. */
const READ = ['.jpg', '.jpeg', '.png'];
const UNREAD = ['.webp', '.gif', '.bmp', '.tif', '.tiff', '.heic', '.avif', '.jxl'];

export interface PictureFile {
  path: string;
  bytes: number;
  /** Milliseconds since 1970. */
  modified: number;
}

export interface PictureFiles {
  /** In the order of their paths. */
  pictures: PictureFile[];
  /** Number of pictures of kinds that are not read. */
  unread: number;
}

/** Files and folders whose names begin with a dot are left out; links to folders are not followed. */
export async function pictureFiles(folder: string): Promise<PictureFiles> {
  const found: PictureFiles = { pictures: [], unread: 0 };
  await collect(folder, found);
  return found;
}

async function collect(folder: string, found: PictureFiles): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw ioError('read_failed', `cannot read the folder ${folder}: ${messageOf(error)}`, error);
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      await collect(path, found);
      continue;
    }
    const ending = extname(entry.name).toLowerCase();
    if (UNREAD.includes(ending)) found.unread += 1;
    if (!READ.includes(ending)) continue;
    // It may be gone by now, or be a link to nothing.
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isFile()) found.pictures.push({ path, bytes: facts.size, modified: Math.floor(facts.mtimeMs) });
  }
}
