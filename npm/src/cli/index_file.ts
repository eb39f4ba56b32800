// A saved SearchIndex is a safetensors file; its header's __metadata__ has room for our fingerprint.
import { readFile } from 'node:fs/promises';
import { QuintetError } from '../errors.js';
import { SearchIndex } from '../node.js';
import { writeAtomically } from './atomic_file.js';
import type { Fingerprint } from './fingerprint.js';

const LENGTH_BYTES = 8;
const KEYS = { corpus: 'search.corpus', model: 'search.model', settings: 'search.settings' } as const;

type Header = Record<string, unknown> & { __metadata__?: Record<string, string> };

export interface SavedIndex {
  fingerprint: Fingerprint;
  open(): Promise<SearchIndex>;
}

/** Undefined where there is no such file yet. */
export async function readSavedIndex(path: string): Promise<SavedIndex | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new QuintetError('IO', `cannot read the index ${path}: ${(error as Error).message}`, { cause: error });
  }
  const metadata = readHeader(bytes).header.__metadata__ ?? {};
  const { corpus, model, settings } = KEYS;
  return {
    fingerprint: {
      corpus: metadata[corpus] ?? '',
      model: metadata[model] ?? '',
      settings: metadata[settings] ?? '',
    },
    open: () => SearchIndex.load(bytes),
  };
}

export async function writeIndex(path: string, index: SearchIndex, fingerprint: Fingerprint): Promise<void> {
  const bytes = await index.save();
  const { header, data } = readHeader(bytes);
  const metadata = { ...header.__metadata__ };
  for (const key of ['corpus', 'model', 'settings'] as const) metadata[KEYS[key]] = fingerprint[key];
  await writeAtomically(path, [encodeHeader({ ...header, __metadata__: metadata }), data]);
}

function readHeader(bytes: Uint8Array): { header: Header; data: Uint8Array } {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const end = LENGTH_BYTES + length;
    if (end > bytes.length) throw new RangeError('header beyond the end');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(LENGTH_BYTES, end));
    return { header: JSON.parse(text) as Header, data: bytes.subarray(end) };
  } catch (error) {
    throw new QuintetError('FORMAT', 'this is not a saved index', {
      reason: 'malformed',
      format: 'safetensors',
      offset: 0,
      cause: error,
    });
  }
}

/** Padded with spaces to eight bytes, so that tensors stay aligned. */
function encodeHeader(header: Header): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(LENGTH_BYTES + length).fill(0x20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(json, LENGTH_BYTES);
  return bytes;
}
