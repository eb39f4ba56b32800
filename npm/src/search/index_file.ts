// A saved search index: a safetensors file with the tensors
//   vectors   F32 [n, dimension], or I8 with `scales`
//   scales    F32 [n], for int8 and binary storage
//   entries   U8: JSON, an array of { id, text, payload, vector }
// and, with keyword search, those of keywords/keyword_file.ts, in the order in which the entries were added. The
// metadata are `kind`, `version`, `storage` and `dimension`; `word_rules` if there are words; `keywords` and `texts` if
// they are 'off'; `vectors` and `pool_factor`; and `embedder` (built_with.ts). Callers may add their own. See
// docs/formats/search-index.md.

import { allocate } from '../base/allocation.js';
import { inputError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { isA, type Rule } from '../base/values.js';
import type { VectorKind } from '../embed/options.js';
import { type ContainedTensor, type Container, layOut } from '../safetensors/container.js';
import { type BuiltWith, builtWithJson, parseBuiltWith } from './built_with.js';
import { entriesIn, entryJson, type SavedEntry } from './entry_json.js';
import type { EntryTable } from './entry_table.js';
import type { IndexCore } from './index_core.js';
import { broken, tensorNamed } from './index_tensors.js';
import { keywordTensors, readKeywords } from './keywords/keyword_file.js';
import { type KeywordRows, wordRules } from './keywords/keyword_rows.js';
import { maxPoolFactor, maxVocabulary } from './search_options.js';
import { severalTensors, severalVectors } from './several_tensors.js';
import { inTurns } from './steps.js';
import { FloatStorage, type Int8Storage } from './vectors/vector_storage.js';

export type StorageName = 'f32' | 'int8' | 'binary';
type Metadata = Readonly<Record<string, string>>;

/** Options of `SearchIndex.save`. */
export interface SaveIndexOptions {
  /** Metadata to add to the file. The names of the index's metadata are reserved. */
  metadata?: Metadata;
}

const textMap: Rule = [
  'an object of strings',
  (value) => isA(value, 'Object') && Object.values(value as object).every((text) => typeof text === 'string'),
];
export const saveRules = { metadata: textMap };

const kind = 'quintet-search-index';
const version = '2';

/** Facts about an index from the metadata. */
export interface IndexFacts {
  storage: StorageName;
  dimension: number;
  keywords: boolean;
  keepTexts: boolean;
  /** The kind of vectors that entries have. */
  kind: VectorKind;
  poolFactor: number;
  builtWith: BuiltWith | undefined;
}

export interface IndexContent extends IndexFacts {
  core: IndexCore;
  entries: EntryTable;
  vectors: FloatStorage | Int8Storage;
  /** In the order of the entries. */
  words: KeywordRows | undefined;
}

interface Pieces {
  name: string;
  dtype: string;
  shape: number[];
  pieces: Iterable<Uint8Array>;
}

/** `checkUnchanged` is called between steps: the entries must not change while they are written. */
export async function writeIndexFile(
  content: IndexContent,
  checkUnchanged: () => void,
  options?: SaveIndexOptions,
): Promise<Uint8Array> {
  const turn = async (): Promise<void> => {
    await yieldIfDue();
    checkUnchanged();
  };
  const metadata = indexMetadata(content, content.words !== undefined, options);
  const { core, entries, vectors, dimension, words } = content;
  const slots = entries.inOrder();
  const json = await inPieces(jsonPieces(core, slots), turn);
  const tensors: Pieces[] = [
    { name: 'entries', dtype: 'U8', shape: [json.reduce((sum, { length }) => sum + length, 0)], pieces: json },
    ...(content.kind === 'dense' ? vectorTensors(vectors, slots, dimension) : []),
    ...[
      ...(content.kind === 'dense' ? [] : severalTensors(await core.several!.collected(), dimension, slots)),
      ...(words ? keywordTensors(words) : []),
    ].map(({ data, ...tensor }) => ({ ...tensor, pieces: cut(data) })),
  ];
  const { header, ordered, dataBytes } = layOut(metadata, tensors);
  const file = allocate(Uint8Array, header.length + dataBytes);
  file.set(header);
  let at = header.length;
  for (const { pieces } of ordered) {
    for (const piece of pieces) {
      file.set(piece, at);
      at += piece.length;
      await turn();
    }
  }
  return file;
}

async function inPieces<T>(pieces: Iterable<T>, turn: () => Promise<void>): Promise<T[]> {
  const all: T[] = [];
  for (const piece of pieces) {
    all.push(piece);
    await turn();
  }
  return all;
}

const pieceBytes = 1 << 16;

function* jsonPieces(core: IndexCore, slots: Uint32Array): Generator<Uint8Array, void> {
  let json = '[';
  for (const [i, slot] of slots.entries()) {
    json += (i === 0 ? '' : ',') + entryJson(savedEntry(core, slot));
    if (json.length < pieceBytes) continue;
    yield new TextEncoder().encode(json);
    json = '';
  }
  yield new TextEncoder().encode(`${json}]`);
}

const savedEntry = (core: IndexCore, slot: number): SavedEntry => ({
  id: core.entries.id(slot),
  text: core.entries.texts.get(slot),
  payload: core.entries.payloads.get(slot),
  hasVector: core.hasVector(slot),
});

function vectorTensors(vectors: FloatStorage | Int8Storage, slots: Uint32Array, dimension: number): Pieces[] {
  const dtype = vectors instanceof FloatStorage ? 'F32' : 'I8';
  const tensors = [{ name: 'vectors', dtype, shape: [slots.length, dimension], pieces: rowsOf(vectors, slots) }];
  if (vectors instanceof FloatStorage) return tensors;
  const scales = Float32Array.from(slots, (slot) => vectors.scale(slot));
  return [
    ...tensors,
    { name: 'scales', dtype: 'F32', shape: [slots.length], pieces: cut(new Uint8Array(scales.buffer)) },
  ];
}

function* rowsOf(vectors: FloatStorage | Int8Storage, slots: Uint32Array): Generator<Uint8Array, void> {
  for (const slot of slots) {
    const { buffer, byteOffset, byteLength } = vectors.get(slot);
    yield new Uint8Array(buffer, byteOffset, byteLength);
  }
}

function* cut(data: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < data.length; at += pieceBytes) yield data.subarray(at, at + pieceBytes);
}

/** The metadata of an index file. Metadata of the caller must not override it. */
export function indexMetadata(facts: IndexFacts, hasWords: boolean, options?: SaveIndexOptions): Metadata {
  const { storage, dimension, keywords, keepTexts, kind: entryKind, poolFactor, builtWith } = facts;
  const own = options?.metadata ?? {};
  const reserved = [
    'kind',
    'version',
    'storage',
    'dimension',
    'word_rules',
    'keywords',
    'texts',
    'vectors',
    'pool_factor',
    'embedder',
  ];
  const taken = Object.keys(own).find((name) => reserved.includes(name));
  if (taken !== undefined) throw inputError('duplicate', `save: the metadata name '${taken}' is reserved`);
  return {
    ...own,
    ...{ kind, version, storage, dimension: String(dimension) },
    ...(hasWords && { word_rules: wordRules }),
    ...(!keywords && { keywords: 'off' }),
    ...(!keepTexts && { texts: 'off' }),
    ...(entryKind !== 'dense' && { vectors: entryKind }),
    ...(poolFactor !== 1 && { pool_factor: String(poolFactor) }),
    ...(builtWith && { embedder: builtWithJson(builtWith) }),
  };
}

/** Reads a file into an empty index of its kind. */
export async function readIndexFile(container: Container, core: IndexCore): Promise<void> {
  const { dimension, vectors } = core;
  const entries: SavedEntry[] = [];
  for (const entry of entriesIn(tensorNamed(container, 'entries', 'U8'))) {
    entries.push(entry);
    await yieldIfDue();
  }
  const shape = [entries.length, dimension];
  const writeVector = core.several
    ? severalVectors(container, entries.length, await core.several.collected(), dimension)
    : vectors instanceof FloatStorage
      ? floatVectors(container, shape, vectors)
      : int8Vectors(container, shape, vectors);
  const slots = new Uint32Array(entries.length);
  const words = await inTurns(readKeywords(container, entries.length));
  for (const [i, entry] of entries.entries()) {
    slots[i] = core.insert(entry, entry.hasVector && core.kind === 'dense', (slot) => writeVector(i, slot));
    await yieldIfDue();
  }
  if (words && core.words) core.words.saved = { rows: words, slots };
}

/** Reads and checks the metadata. */
export function factsIn(metadata: Metadata): IndexFacts {
  if (metadata['kind'] !== kind) throw broken('bad_magic', 'the file is not a search index');
  if (metadata['version'] !== version) {
    throw broken('bad_version', `a search index of version ${metadata['version']}, expected ${version}`);
  }
  const storage = storageName(metadata['storage']);
  const entryKind = kindNamed(metadata['vectors']);
  const dimension = Number(metadata['dimension']);
  const most = entryKind === 'sparse' ? maxVocabulary : 65536;
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > most) {
    throw broken('out_of_range', `a dimension of ${metadata['dimension']}, expected 1 to ${most}`);
  }
  const builtWith = metadata['embedder'] === undefined ? undefined : parseBuiltWith(metadata['embedder']);
  if (builtWith && builtWith.dimension < dimension) {
    throw broken('mismatch', `a dimension of ${dimension}, but the model has ${builtWith.dimension}`);
  }
  return {
    storage,
    dimension,
    keywords: metadata['keywords'] !== 'off',
    keepTexts: metadata['texts'] !== 'off',
    kind: entryKind,
    poolFactor: entryKind === 'multi' ? poolFactorOf(metadata['pool_factor']) : 1,
    builtWith,
  };
}

/** Copies the vector of an entry of the file to a slot. */
type VectorWriter = (i: number, slot: number) => void;

function floatVectors(container: Container, shape: number[], vectors: FloatStorage): VectorWriter {
  const dimension = shape[1]!;
  const data = floatsOf(tensorNamed(container, 'vectors', 'F32', shape));
  return (i, slot) => {
    const vector = data.subarray(i * dimension, (i + 1) * dimension);
    checkVectors(vector);
    vectors.set(slot, vector);
  };
}

function int8Vectors(container: Container, shape: number[], vectors: Int8Storage): VectorWriter {
  const dimension = shape[1]!;
  const { data } = tensorNamed(container, 'vectors', 'I8', shape);
  const q = new Int8Array(data.buffer, data.byteOffset, data.length);
  const scales = floatsOf(tensorNamed(container, 'scales', 'F32', [shape[0]!]));
  checkScales(scales);
  return (i, slot) => {
    const vector = q.subarray(i * dimension, (i + 1) * dimension);
    checkVectors(vector);
    vectors.setQuantized(slot, vector, scales[i]!);
  };
}

function kindNamed(name = 'dense'): VectorKind {
  if (name === 'dense' || name === 'multi' || name === 'sparse') return name;
  throw broken('unknown_value', `vectors '${name}', expected multi or sparse`);
}

function poolFactorOf(text = '1'): number {
  const factor = Number(text);
  if (Number.isInteger(factor) && factor >= 1 && factor <= maxPoolFactor) return factor;
  throw broken('out_of_range', `a pool_factor of ${text}, expected 1 to ${maxPoolFactor}`);
}

function storageName(name: string | undefined): StorageName {
  if (name === 'f32' || name === 'int8' || name === 'binary') return name;
  throw broken('unknown_value', `a storage '${name}', expected f32, int8 or binary`);
}

/** A view, or a copy where another program wrote the tensor unaligned. */
function floatsOf({ data }: ContainedTensor): Float32Array {
  const { buffer, byteOffset, length } = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Float32Array(buffer, byteOffset, length / 4);
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
