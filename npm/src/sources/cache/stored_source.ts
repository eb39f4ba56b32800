// Reads a file from the browser's cache, or stores it there while it is read from elsewhere.

import { messageOf } from '../../base/errors.js';
import type { Fallback } from '../../base/fallbacks.js';
import type { ByteSource } from '../bytes/byte_source.js';
import type { KnownPart } from '../bytes/http_download.js';
import type { CacheEntry } from '../types.js';
import { deleteStored, pieceBytes, StoredFile } from './stored_files.js';

/** Opens the original file: as a whole, or the rest after `part`. */
type OpenElsewhere = (part?: KnownPart) => Promise<ByteSource>;
type FallBack = (error: unknown) => void;

/** Adds the reason to `fallbacks` if the file cannot be kept. `check` is for all files but those already stored. */
export async function openStored(
  entry: CacheEntry,
  fallbacks: Fallback[],
  open: OpenElsewhere,
  check = (source: ByteSource): ByteSource => source,
): Promise<ByteSource> {
  const fallBack: FallBack = (error) =>
    void fallbacks.push({ code: 'not_kept', message: `not kept in the cache: ${messageOf(error)}` });
  const place = await findPlace(entry).catch(fallBack);
  if (!place) return check(await open());
  const { file, unlock } = place;
  if (!unlock) return storedSource(file!, file!.notes.bytes!);
  try {
    const part = file && !entry.stale ? await partOf(file) : undefined;
    const source = await open(part);
    return check(await storing(source, entry, part && source.start ? file : undefined, { fallBack, unlock }));
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A stored file or, with `unlock`, the right to store it. */
interface Place {
  file: StoredFile | undefined;
  unlock?: () => void;
}

async function findPlace(entry: CacheEntry): Promise<Place> {
  if (!globalThis.caches || !navigator.locks)
    throw new Error('storage is only available to pages from https: and localhost');
  const before = await StoredFile.find(entry.name);
  if (isUsable(before, entry)) return { file: before };
  const unlock = await lock(entry.name);
  if (!unlock) throw new Error('another load is storing the file');
  // Another load may have stored the file in the meantime.
  const file = await StoredFile.find(entry.name);
  if (!isUsable(file, entry)) return { file, unlock };
  unlock();
  return { file };
}

function isUsable(file: StoredFile | undefined, { stale, integrity, version }: CacheEntry): file is StoredFile {
  const { bytes, integrity: checked, version: stored } = file?.notes ?? {};
  const isRight = (!integrity || !checked || integrity === checked) && (version === undefined || version === stored);
  return !stale && Number.isSafeInteger(bytes) && isRight;
}

/** Only one load at a time stores a file. The lock is released with its page or worker at the latest. */
function lock(name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    const held = (granted: Lock | null) => {
      if (granted) return new Promise<void>((unlock) => resolve(unlock));
      resolve(undefined);
      return undefined;
    };
    navigator.locks.request(`quintet ${name}`, { ifAvailable: true }, held).catch(reject);
  });
}

/** The part of an interrupted download, if it can be resumed. */
async function partOf(file: StoredFile): Promise<KnownPart | undefined> {
  const { bytes, version, size } = file.notes;
  const from = version && bytes === undefined ? pieceBytes * (await file.fullPieces()) : 0;
  return version && from ? { from, version, size } : undefined;
}

/** Reads the first `end` bytes of a stored file. The next piece is read ahead while the last one is used. */
function storedSource(file: StoredFile, end: number): ByteSource {
  let at = 0;
  const next = () => {
    const piece = at < end ? file.piece(at, end) : undefined;
    piece?.catch(() => {});
    return piece;
  };
  let coming = next();
  return {
    size: end,
    async read() {
      const piece = await coming;
      at += piece?.length ?? 0;
      coming = next();
      return piece ?? null;
    },
    async close() {},
  };
}

/** Stores the bytes that are read, after those that are already in `begun`. */
async function storing(
  source: ByteSource,
  { name }: CacheEntry,
  begun: StoredFile | undefined,
  { fallBack, unlock }: { fallBack: FallBack; unlock: () => void },
): Promise<ByteSource> {
  const { size, version, start = 0 } = source;
  const giveUp = async (error: unknown) => {
    fallBack(error);
    await deleteStored(name).catch(() => false);
    return undefined;
  };
  const file = begun ?? (await StoredFile.create(name, { version, size }).catch(giveUp));
  const before = begun && storedSource(begun, start);
  let writer = file && new PieceWriter(file, start);
  return {
    ...(size === undefined ? {} : { size }),
    async read() {
      const stored = await before?.read();
      if (stored) return stored;
      const chunk = await source.read();
      try {
        await (chunk ? writer?.write(chunk) : writer?.end());
      } catch (error) {
        writer = await giveUp(error);
      }
      return chunk;
    },
    async close() {
      await source.close();
      await writer?.settle();
      if (writer && !version && !writer.ended) await deleteStored(name).catch(() => false);
      unlock();
    },
  };
}

/** Stores a file in pieces. One is stored while the next one is filled. */
class PieceWriter {
  ended = false;
  private readonly piece = new Uint8Array(pieceBytes);
  private filled = 0;
  private storing: Promise<unknown> = Promise.resolve();
  private failure: unknown;

  constructor(
    private readonly file: StoredFile,
    private at: number,
  ) {}

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + pieceBytes - this.filled);
      this.piece.set(part, this.filled);
      from += part.length;
      this.filled += part.length;
      if (this.filled === pieceBytes) await this.store(this.at / pieceBytes);
    }
  }

  async end(): Promise<void> {
    if (this.ended) return;
    if (this.filled) await this.store('last');
    await this.settle();
    if (this.failure !== undefined) throw this.failure;
    await this.file.note({ bytes: this.at });
    this.ended = true;
  }

  async settle(): Promise<void> {
    await this.storing;
  }

  private async store(piece: number | 'last'): Promise<void> {
    await this.storing;
    if (this.failure !== undefined) throw this.failure;
    // The response copies the bytes right away.
    this.storing = this.file.put(piece, this.piece.subarray(0, this.filled)).catch((error: unknown) => {
      this.failure = error;
    });
    this.at += this.filled;
    this.filled = 0;
  }
}
