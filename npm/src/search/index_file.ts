// A saved search index: a safetensors file with the tensors
//   vectors   F32 [n, dimension], or I8 with `scales`
//   scales    F32 [n], for int8 and binary storage
//   entries   U8: JSON, an array of [id] or [id, payload]
// and, with keyword search, those of keywords/keyword_file.ts, in the order in which the entries were added, and the metadata `kind`, `version`, `storage` and `dimension`, and
// `word_rules` if there are words. Callers may add their own.

import { inputError, messageOf, QuintetError } from '../base/errors.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions, isA, type Rule } from '../base/values.js';
import { type ContainedTensor, type Container, readContainer, writeContainer } from '../safetensors/container.js';
import { broken, readJson, tensorNamed } from './index_tensors.js';
import { keywordTensors, readKeywords, type SavedKeywords } from './keywords/keyword_file.js';
import { type KeywordRows, wordRules } from './keywords/keyword_rows.js';
import { FloatStorage, type Int8Storage } from './vector_storage.js';

export interface IndexEntry {
  id: string;
  payload: unknown;
}

export type StorageName = 'f32' | 'int8' | 'binary';
type Metadata = Readonly<Record<string, string>>;

/** Options of `SearchIndex.save`. */
export interface SaveIndexOptions {
  /** Metadata to add to the file. The names `kind`, `version`, `storage`, `dimension` and `word_rules` are reserved. */
  metadata?: Metadata;
}

const textMap: Rule = [
  'an object of strings',
  (value) => isA(value, 'Object') && Object.values(value as object).every((text) => typeof text === 'string'),
];
export const saveRules = { metadata: textMap };

const kind = 'quintet-search-index';
const version = '1';

export function writeIndexFile(
  storage: StorageName,
  dimension: number,
  entries: readonly IndexEntry[],
  slots: Uint32Array,
  vectors: FloatStorage | Int8Storage,
  keywords: KeywordRows | undefined,
  options?: SaveIndexOptions,
): Uint8Array {
  checkOptions(options, saveRules, 'save');
  const metadata = indexMetadata(storage, dimension, keywords !== undefined, options);
  const json = new TextEncoder().encode(`[${entries.map(entryJson).join(',')}]`);
  const tensors = [{ name: 'entries', dtype: 'U8', shape: [json.length], data: json }, ...(keywords ? keywordTensors(keywords) : [])];
  const shape = [slots.length, dimension];
  if (vectors instanceof FloatStorage) {
    const data = new Float32Array(slots.length * dimension);
    slots.forEach((slot, i) => data.set(vectors.get(slot), i * dimension));
    tensors.push({ name: 'vectors', dtype: 'F32', shape, data: new Uint8Array(data.buffer) });
  } else {
    const data = new Int8Array(slots.length * dimension);
    slots.forEach((slot, i) => data.set(vectors.get(slot), i * dimension));
    const scales = Float32Array.from(slots, (slot) => vectors.scale(slot));
    tensors.push({ name: 'vectors', dtype: 'I8', shape, data: new Uint8Array(data.buffer) });
    tensors.push({ name: 'scales', dtype: 'F32', shape: [slots.length], data: new Uint8Array(scales.buffer) });
  }
  return writeContainer({ metadata, tensors });
}

/** The metadata of an index file. Metadata of the caller must not override it. */
export function indexMetadata(storage: StorageName, dimension: number, hasWords: boolean, options?: SaveIndexOptions): Metadata {
  const own = options?.metadata ?? {};
  const metadata = { kind, version, storage, dimension: String(dimension) };
  const ofWords = { word_rules: wordRules };
  const taken = Object.keys(own).find((name) => name in metadata || name in ofWords);
  if (taken !== undefined) throw inputError('duplicate', `save: the metadata name '${taken}' is reserved`);
  return { ...own, ...metadata, ...(hasWords && ofWords) };
}

export function entryJson({ id, payload }: IndexEntry): string {
  if (payload === undefined) return JSON.stringify([id]);
  try {
    // Inside an array, values that JSON does not have would become null.
    const json = JSON.stringify(payload) as string | undefined;
    if (json !== undefined) return `[${JSON.stringify(id)},${json}]`;
  } catch (cause) {
    const message = `the payload of '${id}' cannot be saved: ${messageOf(cause)}`;
    throw new QuintetError('INPUT', message, { reason: 'wrong_type', cause });
  }
  throw inputError('wrong_type', `the payload of '${id}' cannot be saved as JSON`);
}

export interface IndexFile {
  storage: StorageName;
  dimension: number;
  entries: IndexEntry[];
  /** Copies the vector of entry `i` to a slot. The storage must be of the file's kind. */
  vectorInto(i: number, vectors: FloatStorage | Int8Storage, slot: number): void;
  keywords: SavedKeywords | undefined;
}

export async function readIndexFile(source: ModelSource): Promise<IndexFile> {
  const container = await readContainer(source);
  const { storage, dimension } = storageIn(container.metadata);
  const entries = readEntries(tensorNamed(container, 'entries', 'U8'));
  const shape = [entries.length, dimension];
  const vectorInto =
    storage === 'f32' ? floatVectors(container, shape) : int8Vectors(container, shape);
  return { storage, dimension, entries, vectorInto, keywords: readKeywords(container, entries.length) } as IndexFile;
}

/** Reads and checks the metadata. */
export function storageIn(metadata: Metadata): Pick<IndexFile, 'storage' | 'dimension'> {
  if (metadata['kind'] !== kind) throw broken('bad_magic', 'the file is not a search index');
  if (metadata['version'] !== version) {
    throw broken('bad_version', `a search index of version ${metadata['version']}, expected ${version}`);
  }
  const storage = storageName(metadata['storage']);
  const dimension = Number(metadata['dimension']);
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > 65536) {
    throw broken('out_of_range', `a dimension of ${metadata['dimension']}, expected 1 to 65536`);
  }
  return { storage, dimension };
}

function floatVectors(container: Container, shape: number[]) {
  const dimension = shape[1]!;
  const data = floatsOf(tensorNamed(container, 'vectors', 'F32', shape));
  checkVectors(data);
  return (i: number, vectors: FloatStorage, slot: number) =>
    vectors.set(slot, data.subarray(i * dimension, (i + 1) * dimension));
}

function int8Vectors(container: Container, shape: number[]) {
  const dimension = shape[1]!;
  const { data } = tensorNamed(container, 'vectors', 'I8', shape);
  const q = new Int8Array(data.buffer, data.byteOffset, data.length);
  checkVectors(q);
  const scales = floatsOf(tensorNamed(container, 'scales', 'F32', [shape[0]!]));
  checkScales(scales);
  return (i: number, vectors: Int8Storage, slot: number) =>
    vectors.setQuantized(slot, q.subarray(i * dimension, (i + 1) * dimension), scales[i]!);
}

function storageName(name: string | undefined): StorageName {
  if (name === 'f32' || name === 'int8' || name === 'binary') return name;
  throw broken('unknown_value', `a storage '${name}', expected f32, int8 or binary`);
}

export function readEntries({ data }: { data: Uint8Array }): IndexEntry[] {
  const name = 'entries';
  const list = readJson(data, name);
  const seen = new Set<string>();
  return list.map((entry: unknown) => {
    if (!Array.isArray(entry) || entry.length < 1 || entry.length > 2 || typeof entry[0] !== 'string') {
      throw broken('malformed', 'an entry is not [id] or [id, payload]', name);
    }
    const [id, payload] = entry as [string, unknown];
    if (seen.has(id)) throw broken('duplicate', `the id ${JSON.stringify(id)} occurs twice`, name);
    seen.add(id);
    return { id, payload };
  });
}

/** A copy, since the tensor may not be aligned in the file. */
function floatsOf({ data }: ContainedTensor): Float32Array {
  return new Float32Array(data.slice().buffer);
}

export function checkVectors(values: Float32Array | Int8Array): void {
  if (values instanceof Float32Array) checkFinite(values, 'vectors');
  else if (values.includes(-128)) throw broken('out_of_range', 'a value of -128, expected -127 to 127', 'vectors');
}

export function checkScales(scales: Float32Array): void {
  checkFinite(scales, 'scales');
  if (scales.some((scale) => scale < 0)) throw broken('out_of_range', 'a scale is negative', 'scales');
}

function checkFinite(values: Float32Array, name: string): void {
  if (!values.every(Number.isFinite)) throw broken('out_of_range', 'a value is not finite', name);
}
