// Merges saved search indexes. Each part is read twice: first for the counts that the header needs, then for its
// values. So no more than the entries of one part, a piece of its vectors and the different words of all is in memory.

import { inputError, QuintetError, unsupported } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions, isA, signal as signalRule, typeName } from '../base/values.js';
import type { SafetensorsFile, StreamedTensor } from '../safetensors/types.js';
import { type BuiltWith, isSameModel } from './built_with.js';
import { entriesIn, entryJson } from './entry_json.js';

import * as file from './index_file.js';
import { checkedTensor } from './index_tensors.js';
import { KeywordMerger } from './keywords/keyword_merger.js';

const container = lazyModule(() => import('../safetensors/index.js'), 'openSafetensors');

// Number of values that are read and checked at once.
const pieceValues = 1 << 18;

/** Options of `SearchIndex.merge`. */
export interface MergeOptions extends file.SaveIndexOptions {
  signal?: AbortSignal;
}

interface Part {
  /** For error messages. */
  name: string;
  open(): Promise<SafetensorsFile>;
}

interface Facts extends file.IndexFacts {
  entries: number;
  /** Size of the entries as JSON, without the outer brackets. */
  jsonBytes: number;
}

type Reading<T> = (opened: SafetensorsFile) => AsyncGenerator<T, void, undefined>;

export async function mergeIndexFiles(
  indexes: readonly ModelSource[],
  options?: MergeOptions,
): Promise<ReadableStream<Uint8Array>> {
  checkOptions(options, { ...file.saveRules, signal: signalRule }, 'merge');
  const signal = options?.signal;
  const { openSafetensors, safetensorsStream } = await container();
  const open = (source: ModelSource) => openSafetensors(source, signal ? { signal } : {});
  if (!Array.isArray(indexes))
    throw inputError('wrong_type', `merge: indexes must be an array, not ${typeName(indexes)}`);
  const parts = indexes.map((source, i) => partOf(source, i, open));
  const facts: Facts[] = [];
  const keywords = new KeywordMerger();
  for await (const found of inOrder(parts, (opened) => measure(opened, keywords))) facts.push(found);
  if (!facts[0]) throw inputError('missing', 'merge: the list of indexes is empty');
  facts.forEach((fact, i) => checkAlike(facts[0]!, fact, parts[i]!));
  return safetensorsStream(tensorsOf(parts, facts, keywords), file.indexMetadata(facts[0], keywords.areThere, options));
}

function partOf(source: ModelSource, i: number, open: (source: ModelSource) => Promise<SafetensorsFile>): Part {
  if (!isRepeatable(source))
    throw inputError('wrong_type', `index ${i} cannot be read twice: pass a path, a URL, a Blob or bytes`);
  const name = typeof source === 'string' || isA(source, 'URL') ? `index ${i}, ${String(source)}` : `index ${i}`;
  return { name, open: () => open(source) };
}

function isRepeatable(source: unknown): boolean {
  if (isA(source, 'Response', 'ReadableStream')) return false;
  return typeof source !== 'object' || source === null || !(Symbol.asyncIterator in source);
}

function named(part: Part, error: unknown): unknown {
  if (!(error instanceof QuintetError)) return error;
  const { code, reason, format, offset, tensor } = error;
  return new QuintetError(code, `${part.name}: ${error.message}`, { reason, format, offset, tensor, cause: error });
}

async function* measure(opened: SafetensorsFile, keywords: KeywordMerger) {
  const facts = file.factsIn(opened.metadata);
  const { storage, dimension, kind } = facts;
  if (kind !== 'dense') throw unsupported(`merge: an index of ${kind} vectors`);
  const { count, bytes } = await entriesOf(opened);
  const { tensors } = opened;
  checkedTensor('vectors', tensors.get('vectors'), storage === 'f32' ? 'F32' : 'I8', [count, dimension]);
  if (storage !== 'f32') checkedTensor('scales', tensors.get('scales'), 'F32', [count]);
  await keywords.measure(opened, count);
  yield { ...facts, entries: count, jsonBytes: bytes.length };
}

function checkAlike(first: Facts, facts: Facts, { name }: Part): void {
  for (const fact of ['storage', 'dimension', 'keywords', 'keepTexts'] as const) {
    if (facts[fact] === first[fact]) continue;
    throw inputError('mismatch', `${name}: its ${fact} is ${facts[fact]}, but the first index has ${first[fact]}`);
  }
  checkModels(first.builtWith, facts.builtWith, name);
}

function checkModels(first: BuiltWith | undefined, other: BuiltWith | undefined, name: string): void {
  if (!first && !other) return;
  const isSame = first && other && isSameModel(first, other);
  if (!isSame) throw inputError('mismatch', `${name}: it was built with another model than the first index`);
  const prompts = [first, other].map(({ prompts: { query, document } }) => JSON.stringify([query, document]));
  if (prompts[0] !== prompts[1])
    throw inputError('mismatch', `${name}: it was built with other prompts than the first index`);
}

function tensorsOf(parts: Part[], facts: Facts[], keywords: KeywordMerger): Record<string, StreamedTensor> {
  const { storage, dimension } = facts[0]!;
  const filled = parts.filter((_, i) => facts[i]!.entries > 0);
  const sum = (fact: 'entries' | 'jsonBytes') => facts.reduce((total, facts) => total + facts[fact], 0);
  const entries = sum('entries');
  const commas = Math.max(0, filled.length - 1);
  return {
    entries: { dtype: 'U8', shape: [sum('jsonBytes') + commas + 2], data: () => listed(inOrder(filled, entryPieces)) },
    vectors: {
      dtype: storage === 'f32' ? 'F32' : 'I8',
      shape: [entries, dimension],
      data: () => inOrder(filled, valuesOf('vectors', file.checkVectors)),
    },
    ...(storage !== 'f32' && {
      scales: { dtype: 'F32', shape: [entries], data: () => inOrder(filled, valuesOf('scales', file.checkScales)) },
    }),
    ...(keywords.areThere && keywords.tensors(entries, (read) => inOrder(filled, read))),
  };
}

/** The results of `read` for each part. */
async function* inOrder<T>(parts: Part[], read: Reading<T>) {
  for (const part of parts) {
    try {
      const opened = await part.open();
      try {
        yield* read(opened);
      } finally {
        await opened.close();
      }
    } catch (error) {
      throw named(part, error);
    }
  }
}

/** The entries as `save` writes them, so that the result has the same bytes as an index with all entries. */
async function entriesOf({ tensors }: SafetensorsFile): Promise<{ count: number; bytes: Uint8Array }> {
  const { data } = await checkedTensor('entries', tensors.get('entries'), 'U8').read();
  const entries = [...entriesIn({ data: data as Uint8Array })];
  return { count: entries.length, bytes: new TextEncoder().encode(entries.map(entryJson).join(',')) };
}

async function* entryPieces(opened: SafetensorsFile) {
  yield (await entriesOf(opened)).bytes;
}

/** Joins pieces, each the entries of a part, to one JSON array. */
async function* listed(pieces: AsyncIterable<Uint8Array>) {
  let separator = '[';
  for await (const piece of pieces) {
    yield new TextEncoder().encode(separator);
    yield piece;
    separator = ',';
  }
  yield new TextEncoder().encode(separator === '[' ? '[]' : ']');
}

function valuesOf<T>(name: string, check: (values: T) => void): Reading<Uint8Array> {
  return async function* ({ tensors }) {
    const tensor = tensors.get(name)!;
    const total = tensor.shape.reduce((a, b) => a * b);
    for (let from = 0; from < total; from += pieceValues) {
      const { data } = await tensor.read({ from, to: Math.min(total, from + pieceValues) });
      check(data as T);
      yield new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    }
  };
}
