// A file that is written completely or not at all: under another name first, then renamed.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { releaseTemporary, trackTemporary } from './temporary_files.js';

export class AtomicFile {
  private constructor(
    readonly temporaryPath: string,
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<AtomicFile> {
    // Process ids are not unique if several machines share the folder.
    const temporaryPath = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
    trackTemporary(temporaryPath);
    // Created synchronously, then opened: otherwise the file could appear after a signal handler has removed it.
    closeSync(openSync(temporaryPath, 'wx'));
    return new AtomicFile(temporaryPath, path, await open(temporaryPath, 'r+'));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const result = await this.handle.write(bytes, written);
      written += result.bytesWritten;
    }
  }

  /** After this the temporary file is complete and can be read back. */
  async finishWriting(): Promise<void> {
    await this.handle.sync();
    await this.handle.close();
  }

  async commit(): Promise<void> {
    await rename(this.temporaryPath, this.path);
    releaseTemporary(this.temporaryPath);
  }

  /** False if another file has the name; that one stays. */
  async commitUnlessThere(): Promise<boolean> {
    try {
      await link(this.temporaryPath, this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' || (await exists(this.path))) return false;
      // Not every file system has hard links. Without them two runs may rename at once, and the later file stays.
      await this.commit();
      return true;
    }
    await rm(this.temporaryPath);
    releaseTemporary(this.temporaryPath);
    return true;
  }

  /** Has no effect on a committed file. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => {}); // it may be closed already
    await rm(this.temporaryPath, { force: true });
    releaseTemporary(this.temporaryPath);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Writes a whole file from pieces; if they fail, the old file stays unchanged. */
export async function writeAtomically(
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await AtomicFile.create(path);
  try {
    for await (const piece of pieces) await file.write(piece);
    await file.finishWriting();
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
