// Files and URLs in Node and compatible runtimes.

import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { inputError, ioError, messageOf } from '../../base/errors.js';
import { type ByteSource, chunkBytes, seekableSource } from '../bytes/byte_source.js';
import type { Files } from '../files.js';
import { isFolder, readFolder } from './model_folder.js';

export const files: Files = {
  hasCache: false,
  resolve(location) {
    // Everything without one of these schemes is a path, including 'C:\model.weights'.
    if (!/^(https?|data|blob|file):/i.test(location)) return pathToFileURL(location);
    try {
      return new URL(location);
    } catch {
      throw inputError('wrong_type', `'${location}' is not a URL`);
    }
  },
  openFile,
  isFolder: (location) => isFolder(pathOf(location)),
  readFolder: (location, reader) => readFolder(pathOf(location), reader),
  // Imported on demand: node:crypto alone takes milliseconds to load.
  hub: {
    defaults: async () => (await import('./hub.js')).hubDefaults(),
    seesRedirects: true,
    folder: async (root) => (await import('./hub_folder.js')).hubFolder(root),
  },
};

async function openFile(location: URL): Promise<ByteSource> {
  const path = pathOf(location);
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'not_found' : 'read_failed';
    throw ioError(reason, `cannot open ${path}: ${error.message}`, error);
  });
  const stats = await handle.stat();
  if (!stats.isDirectory()) return fileSource(path, handle, stats);
  await handle.close();
  throw ioError('not_a_file', `${path} is a directory`);
}

function pathOf(location: URL): string {
  try {
    return fileURLToPath(location);
  } catch (error) {
    throw inputError('wrong_type', `${location}: ${messageOf(error)}`);
  }
}

function fileSource(path: string, handle: FileHandle, stats: Stats): ByteSource {
  const reader = () => {
    // For all its chunks: each is copied before the next is read. It starts small, because many files may be open at
    // once of which only the header is read at first.
    let buffer = new Uint8Array(0);
    return async (position: number | null, length: number) => {
      const bytes = Math.min(length, chunkBytes);
      if (buffer.length < bytes) buffer = new Uint8Array(bytes);
      try {
        const { bytesRead } = await handle.read(buffer, 0, bytes, position);
        return buffer.subarray(0, bytesRead);
      } catch (error) {
        throw ioError('read_failed', `cannot read ${path}: ${messageOf(error)}`, error);
      }
    };
  };
  const close = () => handle.close();
  const read = reader();
  // Pipes and devices have no length and cannot be read in any order.
  if (!stats.isFile()) {
    return { read: async () => nonEmpty(await read(null, chunkBytes)), close };
  }
  const checked = (readSome: typeof read) => async (position: number, length: number) => {
    const chunk = await readSome(position, length);
    if (chunk.length === 0) throw ioError('read_failed', `${path} became shorter while it was read`);
    return chunk;
  };
  const inTurns = [checked(reader()), checked(reader())] as const;
  let turn = 0;
  const ahead = (position: number, length: number) => inTurns[(turn ^= 1)]!(position, length);
  return seekableSource(stats.size, checked(read), close, ahead);
}

const nonEmpty = (chunk: Uint8Array) => (chunk.length ? chunk : null);
