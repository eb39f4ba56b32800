// The tensors of a saved index whose entries have vectors of tokens or sparse vectors, in place of `vectors` and
// `scales`:
//   token_counts    U32 [n]: number of vectors of each entry
//   token_vectors   I8 [vectors, dimension], with token_scales F32 [vectors]
// or
//   sparse_counts   U32 [n]: number of elements above 0 of each entry
//   sparse_ids      U32: these elements, ascending for each entry
//   sparse_weights  F32: their values

import type { ContainedTensor, Container } from '../safetensors/container.js';
import { broken, tensorNamed } from './index_tensors.js';
import { sumOf } from './keywords/keyword_file.js';
import type { SeveralStorage } from './vectors/several_storage.js';
import type { SparseStorage } from './vectors/sparse_storage.js';
import { TokenStorage } from './vectors/token_storage.js';

/** Copies the vectors of an entry of the file to a slot. */
type EntryWriter = (i: number, slot: number) => void;

type Values = Uint32Array | Int8Array | Float32Array;

export function severalTensors(storage: SeveralStorage, dimension: number, slots: Uint32Array): ContainedTensor[] {
  if (storage instanceof TokenStorage) {
    const parts = Array.from(slots, (slot) => storage.quantizedOf(slot));
    const counts = Uint32Array.from(parts, ({ scales }) => scales.length);
    const rows = sumOf(counts);
    return [
      tensor('token_counts', 'U32', [counts.length], counts),
      tensor(
        'token_vectors',
        'I8',
        [rows, dimension],
        joined(Int8Array, parts, ({ q }) => q),
      ),
      tensor(
        'token_scales',
        'F32',
        [rows],
        joined(Float32Array, parts, ({ scales }) => scales),
      ),
    ];
  }
  const none = { indices: new Int32Array(), values: new Float32Array() };
  const parts = Array.from(slots, (slot) => storage.vectorOf(slot) ?? none);
  const counts = Uint32Array.from(parts, ({ values }) => values.length);
  const elements = sumOf(counts);
  return [
    tensor('sparse_counts', 'U32', [counts.length], counts),
    tensor(
      'sparse_ids',
      'U32',
      [elements],
      joined(Uint32Array, parts, ({ indices }) => indices),
    ),
    tensor(
      'sparse_weights',
      'F32',
      [elements],
      joined(Float32Array, parts, ({ values }) => values),
    ),
  ];
}

const tensor = (name: string, dtype: string, shape: number[], { buffer, byteOffset, byteLength }: Values) => ({
  name,
  dtype,
  shape,
  data: new Uint8Array(buffer, byteOffset, byteLength),
});

function joined<T extends Values, Part>(
  Elements: { new (length: number): T },
  parts: readonly Part[],
  of: (part: Part) => ArrayLike<number>,
): T {
  const all = new Elements(parts.reduce((sum, part) => sum + of(part).length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(of(part), at);
    at += of(part).length;
  }
  return all;
}

/** Everything in the tensors is checked. */
export function severalVectors(
  container: Container,
  entries: number,
  storage: SeveralStorage,
  dimension: number,
): EntryWriter {
  return storage instanceof TokenStorage
    ? tokenVectors(container, entries, storage)
    : sparseVectors(container, entries, storage, dimension);
}

function tokenVectors(container: Container, entries: number, storage: TokenStorage): EntryWriter {
  const { dimension } = storage;
  const ends = endsOf(integersOf(tensorNamed(container, 'token_counts', 'U32', [entries])));
  const rows = ends.at(-1) ?? 0;
  const { data } = tensorNamed(container, 'token_vectors', 'I8', [rows, dimension]);
  const q = new Int8Array(data.buffer, data.byteOffset, data.length);
  const scales = floatsOf(tensorNamed(container, 'token_scales', 'F32', [rows]));
  if (q.includes(-128)) throw broken('out_of_range', 'a value of -128, expected -127 to 127', 'token_vectors');
  if (!scales.every((scale) => Number.isFinite(scale) && scale >= 0))
    throw broken('out_of_range', 'a scale is negative or not finite', 'token_scales');
  return (i, slot) => {
    const [begin, end] = [ends[i - 1] ?? 0, ends[i]!];
    if (end > begin)
      storage.setQuantized(slot, q.subarray(begin * dimension, end * dimension), scales.subarray(begin, end));
  };
}

function sparseVectors(container: Container, entries: number, storage: SparseStorage, dimension: number): EntryWriter {
  const ends = endsOf(integersOf(tensorNamed(container, 'sparse_counts', 'U32', [entries])));
  const elements = ends.at(-1) ?? 0;
  const ids = integersOf(tensorNamed(container, 'sparse_ids', 'U32', [elements]));
  const weights = floatsOf(tensorNamed(container, 'sparse_weights', 'F32', [elements]));
  if (!weights.every((weight) => Number.isFinite(weight) && weight > 0))
    throw broken('out_of_range', 'a weight is not above 0', 'sparse_weights');
  return (i, slot) => {
    const [begin, end] = [ends[i - 1] ?? 0, ends[i]!];
    const own = ids.subarray(begin, end);
    if (!own.every((id, at) => id < dimension && (at === 0 || id > own[at - 1]!)))
      throw broken('malformed', `entry ${i}: its elements do not ascend to less than ${dimension}`, 'sparse_ids');
    if (end > begin) storage.set(slot, { indices: Int32Array.from(own), values: weights.subarray(begin, end) });
  };
}

/** The end of each entry's vectors. The sum of any 32-bit counts is exact. */
function endsOf(counts: Uint32Array): number[] {
  let end = 0;
  return Array.from(counts, (count) => (end += count));
}

/** Copies, since tensors may not be aligned in the file. */
const integersOf = ({ data }: ContainedTensor): Uint32Array => new Uint32Array(data.slice().buffer);
const floatsOf = ({ data }: ContainedTensor): Float32Array => new Float32Array(data.slice().buffer);
