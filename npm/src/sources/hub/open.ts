// Opens files of the Hub: from where they are kept, which is a folder or the storage of a browser, or while they are
// downloaded, checked and kept there.

import { Sha256 } from '#platform/sha256';
import { files } from '#sources/files';

import { ioError, messageOf } from '../../base/errors.js';
import type { Fallback } from '../../base/fallbacks.js';
import type { ByteSource } from '../bytes/byte_source.js';
import { downloadFrom, type KnownPart, type RemoteFile } from '../bytes/http_download.js';
import { seekableFrom } from '../bytes/http_ranges.js';
import { openStored } from '../cache/stored_source.js';
import { openSource } from '../open_source.js';
import type { CacheEntry } from '../types.js';
import { addressOf, askHub, nameOf } from './requests.js';
import type { HubFile, HubFileWriter, HubFolder } from './types.js';

export interface HubOpening {
  signal: AbortSignal | undefined;
  /** Receives why the file cannot be kept. */
  fallbacks: Fallback[];
  /** Whether it should be readable in any order. */
  seekable: boolean;
}

/** `entry`: where a browser keeps the file, if it is to be kept. */
export async function openHubSource(
  file: HubFile,
  entry: CacheEntry | undefined,
  opening: HubOpening,
): Promise<ByteSource> {
  const { fallbacks, signal } = opening;
  const { fallback } = file.model;
  // Once for all files.
  if (fallback !== undefined && !fallbacks.some(({ code }) => code === 'kept_copy'))
    fallbacks.push({ code: 'kept_copy', message: fallback });
  if (!entry) return openHubFile(file, opening);
  const open = (part?: KnownPart) => downloadHubFile(file, signal, part);
  return openStored(entry, fallbacks, open, (whole) => checkedSource(whole, file));
}

export async function openHubFile(file: HubFile, opening: HubOpening): Promise<ByteSource> {
  const folder = await folderOf(file);
  const location = await folder?.locate(file);
  if (location) return openSource(location);
  if (opening.seekable && (file.partly || !folder)) return seekable(file, opening.signal);
  const download = async () => checkedSource(await downloadHubFile(file, opening.signal), file);
  if (!folder) return download();
  const storing = await storingSource(download(), file, folder, opening.fallbacks);
  return opening.seekable ? storedWhole(storing, file, folder, opening) : storing;
}

async function folderOf({ model: { access } }: HubFile): Promise<HubFolder | undefined> {
  return access.folder === undefined ? undefined : files.hub.folder?.(access.folder);
}

/** A small file is worth having as a whole. */
const smallBytes = 1 << 20;

async function seekable(file: HubFile, signal: AbortSignal | undefined): Promise<ByteSource> {
  if (file.size <= smallBytes) return checkedSource(await downloadHubFile(file, signal), file);
  const { name, get } = remoteFile(file, signal);
  return seekableFrom(name, get);
}

/** The file from its start, or the rest after a part that is already stored. */
async function downloadHubFile(file: HubFile, signal: AbortSignal | undefined, part?: KnownPart): Promise<ByteSource> {
  const isSame = part?.version === file.etag;
  const source = await downloadFrom(
    remoteFile(file, signal),
    signal,
    isSame ? { ...part, version: '', size: file.size } : undefined,
  );
  // The response's version is only used to resume.
  return {
    size: file.size,
    start: source.start ?? 0,
    version: file.etag,
    read: () => source.read(),
    close: () => source.close(),
  };
}

function remoteFile(file: HubFile, signal: AbortSignal | undefined): RemoteFile {
  const { access, listing } = file.model;
  const name = nameOf(file);
  if (access.offline) throw ioError('offline', `${name} is not in the cache, and offline mode is on`);
  const subject = { name, repository: listing.repository };
  return {
    name,
    size: file.size,
    // Other origins would have to allow `If-Range`, and a commit never changes.
    asksIf: false,
    isFixed: true,
    get: (headers) => askHub(access, subject, { url: addressOf(file), headers, signal }),
  };
}

/** Stores the bytes that are read. If that fails, reading continues, and the reason is added to `fallbacks`. */
async function storingSource(
  download: Promise<ByteSource>,
  file: HubFile,
  folder: HubFolder,
  fallbacks: Fallback[],
): Promise<ByteSource> {
  let writer: HubFileWriter | undefined;
  const giveUp = async (error: unknown) => {
    const message = `${nameOf(file)} is not kept in the cache folder of the Hub: ${messageOf(error)}`;
    fallbacks.push({ code: 'not_kept', message });
    await writer?.discard();
    writer = undefined;
  };
  // While the first bytes are on their way.
  const beginning = folder.store(file);
  beginning.catch(() => {});
  const source = await download.catch(async (error: unknown) => {
    await beginning.then(
      (begun) => begun.discard(),
      () => {},
    );
    throw error;
  });
  await beginning.then((begun) => (writer = begun), giveUp);
  let position = 0;
  let committing: Promise<void> | undefined;
  const commit = async () => {
    await writer?.commit().catch(giveUp);
    writer = undefined;
  };
  return {
    size: file.size,
    async read() {
      const chunk = await source.read();
      if (chunk) await writer?.write(chunk).catch(giveUp);
      position += chunk?.length ?? 0;
      // The reader works on the last bytes in the meantime.
      if (position === file.size) committing ??= commit();
      return chunk;
    },
    async close() {
      await source.close();
      await committing;
      await writer?.discard();
      writer = undefined;
    },
  };
}

/** Downloads the file, and opens it where it is stored then. */
async function storedWhole(
  storing: ByteSource,
  file: HubFile,
  folder: HubFolder,
  { signal }: HubOpening,
): Promise<ByteSource> {
  try {
    while (await storing.read());
  } finally {
    await storing.close();
  }
  const location = await folder.locate(file);
  return location ? openSource(location) : seekable(file, signal);
}

const sha256Digits = 64;

/**
 * Checks the size of a downloaded file, and the SHA-256 of one in LFS, while it is read. The last bytes are not handed
 * out before both are right.
 */
function checkedSource(source: ByteSource, { path, size, etag, model }: HubFile): ByteSource {
  const name = `hf:${model.listing.repository}/${path}`;
  // Files outside LFS are small, and named after a git object.
  const hash = etag.length === sha256Digits ? new Sha256() : undefined;
  let position = 0;
  return {
    ...source,
    size,
    async read() {
      const chunk = await source.read();
      position += chunk?.length ?? 0;
      if (position > size || (!chunk && position < size)) {
        throw ioError(
          'integrity',
          `${name}: ${position > size ? 'more' : `only ${position}`} bytes arrived; the Hub lists ${size}`,
        );
      }
      if (!chunk) return null;
      hash?.update(chunk);
      if (position === size && hash && hexOf(hash.digest()) !== etag) {
        throw ioError('integrity', `${name}: the bytes that arrived do not have the SHA-256 that the Hub lists`);
      }
      return chunk;
    },
    close: () => source.close(),
  };
}

const hexOf = (base64: string): string =>
  Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
