// The `cache` option stores files with the Cache API of browsers, which is available to pages and workers and stores a
// response completely or not at all. Every file has its own cache, which is deleted as a whole. It is stored in pieces,
// so that an interrupted download can be resumed.

import { inputError, ioError } from '../../base/errors.js';
import { typeName } from '../../base/values.js';
import type { KeptListings, Listing } from '../hub/types.js';

/** Notes about a stored file. */
export interface Notes {
  /** Size of the complete file, once it is stored completely. */
  bytes?: number;
  /** Whether a model was loaded from it. From then on the file is listed. */
  used?: boolean;
  /** The digest that was verified. */
  integrity?: string | undefined;
  /** Identifies this version of the file at its URL. A partial file without it cannot be resumed. */
  version?: string | undefined;
  /** Expected size of the complete file. */
  size?: number | undefined;
}

/** Size of a piece: the most that is lost in a crash or held in memory. */
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

  /** Creates an empty file, replacing an existing one. */
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

  /** 'last': the only piece with fewer than `pieceBytes` bytes. */
  put(piece: number | 'last', bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.cache.put(pieceUrl(piece), new Response(bytes));
  }

  /** The piece that starts at byte `at` of a file of `end` bytes. */
  async piece(at: number, end: number): Promise<Uint8Array> {
    const bytes = Math.min(pieceBytes, end - at);
    const stored = await this.cache.match(pieceUrl(bytes < pieceBytes ? 'last' : at / pieceBytes));
    const piece = await stored?.arrayBuffer();
    if (piece?.byteLength === bytes) return new Uint8Array(piece);
    throw ioError('damaged', `'${this.name}' in the browser's cache is incomplete`);
  }

  /** Number of consecutive full pieces from the start. */
  async fullPieces(): Promise<number> {
    const urls = new Set((await this.cache.keys()).map(({ url }) => url));
    let pieces = 0;
    while (urls.has(pieceUrl(pieces))) ++pieces;
    return pieces;
  }
}

/** Names of everything that is stored, sorted. */
export async function storedNames(): Promise<string[]> {
  // Without access to storage, or in Node, nothing is stored.
  const names = await Promise.resolve(globalThis.caches?.keys()).catch(() => undefined);
  return (names ?? [])
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .sort();
}

export async function listStored(): Promise<{ name: string; bytes: number }[]> {
  const files = await Promise.all((await storedNames()).map(StoredFile.find));
  return files.flatMap((file) => {
    const { bytes, used } = file?.notes ?? {};
    return file && used && bytes !== undefined ? [{ name: file.name, bytes }] : [];
  });
}

export const storedSize = async () => (await listStored()).reduce((sum, { bytes }) => sum + bytes, 0);

export async function deleteStored(name: string): Promise<boolean> {
  return (await storedNames()).includes(name) && caches.delete(prefix + name);
}

/** Deletes a file, or all files of a model in several, which are named after it. A URL is the name of one file. */
export async function deleteModel(name: string): Promise<boolean> {
  if (typeof name !== 'string')
    throw inputError('wrong_type', `modelCache.delete: name must be a string, not ${typeName(name)}`);
  const isPart = (each: string) => !/^https?:/.test(name) && each.startsWith(`${name}/`);
  const names = (await storedNames()).filter((each) => each === name || isPart(each));
  await Promise.all(names.map(deleteStored));
  return names.length > 0;
}

export async function clearStored(): Promise<void> {
  await Promise.all((await storedNames()).map(deleteStored));
}

// Listings of repositories of the Hub from when their files were kept in the browser: a branch is then only checked for
// changes, and without a network the kept files still make a model.

/** hf:OWNER/NAME@REVISION: the name under which a model is kept. Its files are called so with /PATH. */
export const keptName = ({ repository, revision }: Pick<Listing, 'repository' | 'revision'>): string =>
  `hf:${repository}@${revision}`;

export const keptListings: KeptListings = {
  async find(repository, revision) {
    try {
      const file = await StoredFile.find(keptName({ repository, revision }));
      const { bytes } = file?.notes ?? {};
      return bytes === undefined
        ? undefined
        : (JSON.parse(new TextDecoder().decode(await file!.piece(0, bytes))) as Listing);
    } catch {
      // No access to storage, or damaged.
      return undefined;
    }
  },
};

/** Keeps a listing, and deletes files of an earlier commit that are not in it. */
export async function keepListing(listing: Listing): Promise<void> {
  const name = keptName(listing);
  const file = await StoredFile.create(name, { version: listing.commit });
  const bytes = new TextEncoder().encode(JSON.stringify(listing));
  await file.put('last', bytes);
  await file.note({ bytes: bytes.length, used: true });
  const paths = new Set(listing.files.map(({ path }) => `${name}/${path}`));
  const gone = (await storedNames()).filter((each) => each.startsWith(`${name}/`) && !paths.has(each));
  await Promise.all(gone.map(deleteStored));
}
