// Replaces the index in a folder by a new one. Other files in the folder stay. The index's own files have names by
// their content, so the new ones are written next to the old ones, and the manifest, which names them, comes last:
// whoever opens the index in between gets the whole old one. What only the old manifest names is removed then.

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ioError, messageOf, type QuintetError } from '../../base/errors.js';
import { type Manifest, manifestName } from '../format/files.js';

/** Files that are written at the same time. */
const maxWrites = 16;

export class OutputFolder {
  private readonly names: string[] = [];
  private readonly folders = new Set<string>();
  private readonly writes = new Set<Promise<void>>();
  private failure: QuintetError | undefined;
  bytes = 0;

  private constructor(
    private readonly folder: string,
    /** Inside the folder, and so in the same file system. */
    private readonly temporary: string,
  ) {}

  static async open(folder: string): Promise<OutputFolder> {
    const temporary = join(folder, `.quintet-site-${randomUUID()}`);
    await mkdir(temporary, { recursive: true });
    return new OutputFolder(folder, temporary);
  }

  get files(): number {
    return this.names.length;
  }

  /** `name`: a path with slashes. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.temporary, name);
    const folder = dirname(path);
    if (!this.folders.has(folder)) await mkdir(folder, { recursive: true });
    this.folders.add(folder);
    this.names.push(name);
    this.bytes += bytes.length;
    const writing = writeFile(path, bytes).then(
      () => void this.writes.delete(writing),
      (error) => {
        this.failure ??= ioError('read_failed', `cannot write ${name}: ${messageOf(error)}`, error);
      },
    );
    this.writes.add(writing);
    if (this.writes.size >= maxWrites) await Promise.race(this.writes);
    if (this.failure) throw this.failure;
  }

  async commit(): Promise<void> {
    await Promise.all(this.writes);
    if (this.failure) throw this.failure;
    const before = await foldersIn(join(this.folder, manifestName));
    const after = await foldersIn(join(this.temporary, manifestName));
    for (const name of after) await this.moveFolder(name);
    const single = this.names.filter((name) => !name.includes('/') && name !== manifestName);
    for (const name of [...single, manifestName]) await rename(join(this.temporary, name), join(this.folder, name));
    for (const name of before)
      if (!after.includes(name)) await rm(join(this.folder, name), { recursive: true, force: true });
    await this.close();
  }

  /** An existing file with this name has the same content. */
  private async moveFolder(name: string): Promise<void> {
    const target = join(this.folder, name);
    if (await exists(target)) await rm(target, { recursive: true });
    await rename(join(this.temporary, name), target);
  }

  /** Removes files that were not committed. */
  async close(): Promise<void> {
    await Promise.all(this.writes);
    await rm(this.temporary, { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The folders that a manifest names, if it is one, and they can be an index's. */
async function foldersIn(manifest: string): Promise<string[]> {
  try {
    const { languages, embedder } = JSON.parse(await readFile(manifest, 'utf8')) as Manifest;
    return [...languages, ...(embedder ? [embedder] : [])]
      .map(({ folder }) => folder)
      .filter((folder) => /^[a-z0-9-]+-[0-9a-f]{12}$/i.test(folder));
  } catch {
    return [];
  }
}
