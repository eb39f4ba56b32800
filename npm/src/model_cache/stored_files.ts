// What the `cache` option keeps lies in the browser's Cache API, which pages and workers have alike, and which stores a
// response as a whole or not at all. A file has a cache of its own, which goes as a whole as well, and is cut into pieces
// there, so that what came before a download broke off can be used.

import { ioError } from '../base/errors.js';

/** What is noted of a file. */
export interface Notes {
  /** Bytes of the whole file, once all of it is there. */
  bytes?: number;
  /** Whether a model was loaded from it: the file is listed from then on. */
  used?: boolean;
  /** Digest that it was checked for. */
  integrity?: string | undefined;
  /** What only this file has under its URL; a part without it is of no use. */
  version?: string | undefined;
  /** Bytes that the whole file will have. */
  size?: number | undefined;
}

/** A crash costs no more than this, and no more is held in memory. */
export const pieceBytes = 4 << 20;

const prefix = 'quintet ';
const notesUrl = 'https://quintet.invalid/notes';
const pieceUrl = (piece: number | 'last') => `https://quintet.invalid/${piece}`;

export class StoredFile {
  private constructor(
    private readonly cache: Cache,
    readonly name: string,
    public notes: Notes,
  ) {}

  static async find(name: string): Promise<StoredFile | undefined> {
    if (!(await caches.has(prefix + name))) return undefined;
    const cache = await caches.open(prefix + name);
    const notes = await cache.match(notesUrl);
    return notes && new StoredFile(cache, name, await notes.json());
  }

  /** A file without bytes, in place of what was there. */
  static async create(name: string, notes: Notes): Promise<StoredFile> {
    await caches.delete(prefix + name);
    const file = new StoredFile(await caches.open(prefix + name), name, notes);
    await file.note({});
    return file;
  }

  async note(more: Notes): Promise<void> {
    this.notes = { ...this.notes, ...more };
    await this.cache.put(notesUrl, new Response(JSON.stringify(this.notes)));
  }

  /** 'last': the only one of fewer than `pieceBytes` bytes. */
  put(piece: number | 'last', bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.cache.put(pieceUrl(piece), new Response(bytes));
  }

  /** The piece that has the byte `at`, which begins it, of a file of `end` bytes. */
  async piece(at: number, end: number): Promise<Uint8Array> {
    const bytes = Math.min(pieceBytes, end - at);
    const stored = await this.cache.match(pieceUrl(bytes < pieceBytes ? 'last' : at / pieceBytes));
    const piece = await stored?.arrayBuffer();
    if (piece?.byteLength === bytes) return new Uint8Array(piece);
    throw ioError('damaged', `'${this.name}' in the browser's cache is not whole any more`);
  }

  /** How many full pieces there are from the begin on. */
  async fullPieces(): Promise<number> {
    const urls = new Set((await this.cache.keys()).map(({ url }) => url));
    let pieces = 0;
    while (urls.has(pieceUrl(pieces))) ++pieces;
    return pieces;
  }
}

/** Names under which anything is kept, in their order. */
async function storedNames(): Promise<string[]> {
  // Where storage is forbidden, or not there as in Node, nothing was kept.
  const names = await Promise.resolve(globalThis.caches?.keys()).catch(() => undefined);
  return (names ?? []).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)).sort();
}

export async function listStored(): Promise<{ name: string; bytes: number }[]> {
  const files = await Promise.all((await storedNames()).map(StoredFile.find));
  return files.flatMap((file) => {
    const { bytes, used } = file?.notes ?? {};
    return file && used && bytes !== undefined ? [{ name: file.name, bytes }] : [];
  });
}

export async function deleteStored(name: string): Promise<boolean> {
  return (await storedNames()).includes(name) && caches.delete(prefix + name);
}

export async function clearStored(): Promise<void> {
  await Promise.all((await storedNames()).map(deleteStored));
}
