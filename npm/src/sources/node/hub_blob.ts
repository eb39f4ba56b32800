// Writes a file of the Hub's cache folder under a temporary name, and renames it when it is complete: a partial file
// never looks complete. huggingface_hub does the same since locks fail on some file systems
// (https://github.com/huggingface/huggingface_hub/pull/4228), so that both may write at once.

import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { isTrue } from './hub_paths.js';

/** Written at once. Two blocks are held: one is written while the other one is filled. */
const maxBlockBytes = 4 << 20;

const unfinished = new Set<string>();

/** Removes unfinished files when the process ends by itself; after a kill the next download does. */
function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}

export class BlobWriter {
  private readonly blocks: Uint8Array[] = [];
  private current = 0;
  private filled = 0;
  private writing: Promise<unknown> = Promise.resolve();
  private isOver = false;

  private constructor(
    private readonly blob: string,
    private readonly temporary: string,
    private readonly handle: FileHandle,
    private readonly blockBytes: number,
  ) {}

  /** `size`: of the whole file. */
  static async begin(blob: string, size: number): Promise<BlobWriter> {
    await mkdir(dirname(blob), { recursive: true });
    await removeAbandoned(blob);
    const temporary = `${blob}.${thisMachine()}-${process.pid}-${randomUUID().slice(0, 8)}.incomplete`;
    if (unfinished.size === 0) process.once('exit', removeUnfinished);
    unfinished.add(temporary);
    return new BlobWriter(blob, temporary, await open(temporary, 'wx'), Math.min(size, maxBlockBytes));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const block = (this.blocks[this.current] ??= new Uint8Array(this.blockBytes));
      const part = bytes.subarray(at, at + block.length - this.filled);
      block.set(part, this.filled);
      at += part.length;
      this.filled += part.length;
      if (this.filled === block.length) await this.flush();
    }
  }

  async commit(): Promise<void> {
    await this.flush();
    await this.writing;
    this.isOver = true;
    await this.handle.close();
    await rename(this.temporary, this.blob);
    this.forget();
  }

  /** Leaves nothing behind, not even an empty folder. */
  async discard(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await this.writing.catch(() => {});
    await this.handle.close().catch(() => {});
    await rm(this.temporary, { force: true }).catch(() => {});
    this.forget();
    await removeEmpty(dirname(this.blob));
  }

  private forget(): void {
    unfinished.delete(this.temporary);
    if (unfinished.size === 0) process.off('exit', removeUnfinished);
  }

  private async flush(): Promise<void> {
    await this.writing;
    if (this.filled === 0) return;
    this.writing = writeAll(this.handle, this.blocks[this.current]!.subarray(0, this.filled));
    // A failure is reported by the next call.
    this.writing.catch(() => {});
    this.current = 1 - this.current;
    this.filled = 0;
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

/** The folder of the blobs, that of the repository, and the cache folder, from the first that is not empty on none. */
async function removeEmpty(folder: string): Promise<void> {
  try {
    for (const above of ['.', '..', '../..']) await rmdir(resolve(folder, above));
  } catch {
    // Something else is in it.
  }
}

/** Several machines may share the folder, and have processes of the same number. */
const thisMachine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Removes what killed processes of this machine left of the same file. */
async function removeAbandoned(blob: string): Promise<void> {
  const own = `${basename(blob)}.${thisMachine()}-`;
  for (const entry of await readdir(dirname(blob))) {
    const [, pid] = /^(\d+)-[0-9a-f]{8}\.incomplete$/.exec(entry.startsWith(own) ? entry.slice(own.length) : '') ?? [];
    if (pid && !isRunning(Number(pid))) await rm(join(dirname(blob), entry), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Makes `pointer` a relative link to the blob. Where links are not possible it becomes the file itself: moved if the
 * blob is new, else copied, as other snapshots may use it (`_create_symlink` in huggingface_hub's file_download.py).
 */
export async function pointTo(blob: string, pointer: string, isNew: boolean): Promise<void> {
  await mkdir(dirname(pointer), { recursive: true });
  if (await link(relative(dirname(pointer), blob), pointer)) return;
  const temporary = `${pointer}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    if (!(await link(relative(dirname(pointer), blob), temporary))) await (isNew ? rename : copyFile)(blob, temporary);
    await rename(temporary, pointer);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function link(target: string, path: string): Promise<boolean> {
  if (isTrue(process.env['HF_HUB_DISABLE_SYMLINKS'])) return false;
  return symlink(target, path).then(
    () => true,
    () => false,
  );
}
