// Keeps the content of pages: until all pages of the site are known, which decides on their titles and on which of them
// are searched; and for the next build, which reads only pages that have changed. One file has all pages, one after
// another, because 100,000 small files are slow everywhere; another contains their places.

import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import type { ExtractedPage } from '../content/extracted_page.js';

/** Incremented when pages are read differently: results of older versions are not used. */
const version = 2;

/** Bytes of pages, compressed, up to which they stay in memory too, where they take ten times as much or more. */
const maxHeld = 3_000_000;

/** The place of a page in the file. */
export interface StoredPage {
  at: number;
  length: number;
}

export class PageStore {
  private readonly written = new Map<string, StoredPage>();
  /** The first pages: a small site is not parsed twice. */
  private readonly held = new Map<StoredPage, ExtractedPage>();
  private end = 0;

  private constructor(
    private readonly folder: string,
    private readonly file: FileHandle,
    private readonly fileName: string,
    private readonly old: { file: FileHandle; pages: Map<string, StoredPage> } | undefined,
  ) {}

  /** `folder` is made, and keeps the pages if `commit` is called. */
  static async open(folder: string): Promise<PageStore> {
    await mkdir(folder, { recursive: true });
    const fileName = join(folder, `pages.${process.pid}.tmp`);
    return new PageStore(folder, await open(fileName, 'w+'), fileName, await openOld(folder));
  }

  /** The name under which a page with these bytes is kept. */
  static key(kind: string, bytes: Uint8Array): string {
    return createHash('sha256').update(`${version} ${kind} `).update(bytes).digest('base64url').slice(0, 24);
  }

  /** The result of an earlier build, which is then kept again. */
  async reuse(key: string): Promise<{ page: ExtractedPage; stored: StoredPage } | undefined> {
    const old = this.old?.pages.get(key);
    if (!this.old || !old) return undefined;
    const bytes = await read(this.old.file, old).catch(() => undefined);
    const page = bytes && parsed(bytes);
    return page && { page, stored: await this.append(key, page, bytes) };
  }

  async add(key: string, page: ExtractedPage): Promise<StoredPage> {
    return this.append(key, page, deflateRawSync(JSON.stringify(page), { level: 1 }));
  }

  /** A page, once: it is not held any longer. */
  async take(stored: StoredPage): Promise<ExtractedPage> {
    const page = this.held.get(stored);
    this.held.delete(stored);
    return page ?? parsed(await read(this.file, stored))!;
  }

  private async append(key: string, page: ExtractedPage, bytes: Uint8Array): Promise<StoredPage> {
    const stored = { at: this.end, length: bytes.length };
    await this.file.write(bytes, 0, bytes.length, this.end);
    this.end += bytes.length;
    if (this.end <= maxHeld) this.held.set(stored, page);
    this.written.set(key, stored);
    return stored;
  }

  /** Replaces the content of the folder by these pages. */
  async commit(): Promise<void> {
    const lines = Array.from(this.written, ([key, { at, length }]) => `${key} ${at} ${length}\n`);
    // Without its list, the file of pages is not used.
    await rm(listIn(this.folder), { force: true });
    await rename(this.fileName, pagesIn(this.folder));
    await writeFile(listIn(this.folder), lines.join(''));
  }

  async close(): Promise<void> {
    await Promise.all([this.file.close(), this.old?.file.close()]);
    await rm(this.fileName, { force: true });
  }
}

const pagesIn = (folder: string) => join(folder, 'pages');
const listIn = (folder: string) => join(folder, 'pages.list');

async function openOld(folder: string): Promise<{ file: FileHandle; pages: Map<string, StoredPage> } | undefined> {
  const list = await readFile(listIn(folder), 'utf8').catch(() => undefined);
  const file = list === undefined ? undefined : await open(pagesIn(folder)).catch(() => undefined);
  if (list === undefined || !file) return undefined;
  const pages = new Map<string, StoredPage>();
  for (const line of list.split('\n')) {
    const [key, at, length] = line.split(' ');
    if (key) pages.set(key, { at: Number(at), length: Number(length) });
  }
  return { file, pages };
}

async function read(file: FileHandle, { at, length }: StoredPage): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}

/** Undefined if the bytes are damaged. */
function parsed(bytes: Uint8Array): ExtractedPage | undefined {
  try {
    return JSON.parse(inflateRawSync(bytes).toString('utf8')) as ExtractedPage;
  } catch {
    return undefined;
  }
}
