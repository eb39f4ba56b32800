// Downloads a model of the Hub into its cache folder.
import { ioError } from '../../base/errors.js';
import type { Fallback } from '../../base/fallbacks.js';
import type { LoadProgress } from '../../index.js';
import { findHubFiles } from '../../sources/hub/model.js';
import { openHubFile } from '../../sources/hub/open.js';
import type { HubFile } from '../../sources/hub/types.js';
import type { Reader } from '../../sources/types.js';

export interface PulledModel {
  /** OWNER/NAME */
  name: string;
  commit: string;
  /** Bytes of all its files. */
  bytes: number;
  files: { path: string; bytes: number }[];
}

/** Everything that any class or command reads. */
const READER: Reader = {
  who: 'quintet',
  own: ['.amb', '.alt', '.weights', '.tinyruntime'],
  hasModules: true,
  hasTemplates: true,
};

/** Connections at once. */
const TOGETHER = 4;

/** Everything that a class or command reads of it. */
export async function pullModel(source: string, onProgress: (progress: LoadProgress) => void): Promise<PulledModel> {
  const found = (await findHubFiles(source, READER, {})).map(({ hub }) => hub!);
  const { repository, commit } = found[0]!.model.listing;
  const files = found.map(({ path, size }) => ({ path, bytes: size }));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let loaded = 0;
  const waiting = [...found];
  const pullNext = async (): Promise<void> => {
    for (let next; (next = waiting.shift()); ) {
      await pullFile(next, (bytes) => onProgress({ stage: 'download', loaded: (loaded += bytes), total }));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, pullNext));
  return { name: repository, commit, bytes: total, files };
}

async function pullFile(file: HubFile, onBytes: (bytes: number) => void): Promise<void> {
  const { fallback } = file.model;
  if (fallback !== undefined) throw ioError('network', fallback);
  const fallbacks: Fallback[] = [];
  const source = await openHubFile(file, { signal: undefined, fallbacks, seekable: false });
  try {
    for (let chunk; (chunk = await source.read()); ) onBytes(chunk.length);
  } finally {
    await source.close();
  }
  if (fallbacks.length > 0) throw ioError('read_failed', fallbacks.map(({ message }) => message).join('; '));
}
