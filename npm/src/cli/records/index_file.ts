// A saved SearchIndex is a safetensors file. Its metadata also contain the fingerprint of its sources.
import { readFile } from 'node:fs/promises';
import { ioError, messageOf, QuintetError } from '../../base/errors.js';
import { SearchIndex } from '../../index.js';
import { type Container, readContainer } from '../../safetensors/container.js';
import type { Fingerprint } from '../models/fingerprint.js';
import { writeAtomically } from '../output/atomic_file.js';

const PREFIX = 'search.';
const PARTS = ['corpus', 'model', 'settings'] as const;
/** Only written if there are such lines. */
const BAD_LINES = `${PREFIX}badLines`;

export interface SavedIndex {
  fingerprint: Fingerprint;
  /** Lines of the corpus that could not be indexed. */
  badLines: number;
  /** Whether it can be searched by words. */
  hasWords: boolean;
  open(): Promise<SearchIndex<number>>;
}

/** Undefined if there is no such file yet. Any other file is an error, since it would be overwritten. */
export async function readSavedIndex(path: string): Promise<SavedIndex | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw ioError('read_failed', `cannot read the index ${path}: ${messageOf(error)}`, error);
  }
  const { metadata, tensors } = await containerIn(bytes, path);
  return {
    fingerprint: fingerprintIn(metadata, path),
    badLines: Number(metadata[BAD_LINES] ?? 0),
    hasWords: tensors.some(({ name }) => name === 'keywords'),
    open: () => SearchIndex.load<number>(bytes),
  };
}

export async function writeIndex(
  path: string,
  index: SearchIndex,
  fingerprint: Fingerprint,
  badLines: number,
): Promise<void> {
  const metadata = Object.fromEntries(PARTS.map((part) => [PREFIX + part, fingerprint[part]]));
  if (badLines > 0) metadata[BAD_LINES] = String(badLines);
  await writeAtomically(path, [await index.save({ metadata })]);
}

function fingerprintIn(metadata: Record<string, string>, path: string): Fingerprint {
  const values = PARTS.map((part) => [part, metadata[PREFIX + part]]);
  if (values.some(([, value]) => value === undefined)) throw notAnIndex(path);
  return Object.fromEntries(values) as Fingerprint;
}

async function containerIn(bytes: Uint8Array, path: string): Promise<Container> {
  try {
    return await readContainer(bytes);
  } catch (error) {
    throw notAnIndex(path, error);
  }
}

function notAnIndex(path: string, cause?: unknown): QuintetError {
  return new QuintetError('INPUT', `${path} is not a saved index`, { cause });
}
