// The header of a safetensors file, checked strictly by the official rules.

import { inputError } from '../base/errors.js';
import { broken, HeaderCursor, prefixBytes } from './json.js';

/** A tensor's entry; `begin` and `end` are offsets within the data. */
export interface TensorEntry {
  name: string;
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

export interface Header {
  metadata: Record<string, string>;
  /** In the order of the data, which they cover without gaps. */
  entries: TensorEntry[];
}

const dtypeBits: Record<string, number> = {
  F64: 64,
  I64: 64,
  U64: 64,
  C64: 64,
  F32: 32,
  I32: 32,
  U32: 32,
  F16: 16,
  BF16: 16,
  I16: 16,
  U16: 16,
  I8: 8,
  U8: 8,
  BOOL: 8,
  F8_E4M3: 8,
  F8_E5M2: 8,
  F8_E8M0: 8,
  F6_E2M3: 6,
  F6_E3M2: 6,
  F4: 4,
};

export const maxHeaderBytes = 100_000_000;
export const metadataName = '__metadata__';

export const dtypeNames = (): string => Object.keys(dtypeBits).join(', ');

/** Bits of one value; undefined for an unknown type. */
export function bitsOf(dtype: string): number | undefined {
  return Object.hasOwn(dtypeBits, dtype) ? dtypeBits[dtype] : undefined;
}

/** Undefined if the values do not end at a byte boundary, or are too many to count. */
export function bytesOf(dtype: string, shape: readonly number[]): number | undefined {
  let values = 1;
  for (const size of shape) if (!Number.isSafeInteger((values *= size))) return undefined;
  const bytes = (values * (bitsOf(dtype) ?? NaN)) / 8;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** `bytes`: the JSON of the header only. */
export function parseHeader(bytes: Uint8Array): Header {
  const cursor = new HeaderCursor(textOf(bytes));
  const places = new Map<TensorEntry, number>();
  let metadata: Record<string, string> = {};
  cursor.object((name, at) => {
    if (name === metadataName) metadata = Object.fromEntries(cursor.object(() => cursor.string()));
    else places.set(readEntry(cursor, name, at), at);
  });
  cursor.end();
  const entries = [...places.keys()].sort((a, b) => a.begin - b.begin || a.end - b.end);
  let covered = 0;
  for (const entry of entries) {
    const { name, begin, end } = entry;
    if (begin !== covered) {
      const what = begin < covered ? 'its data overlaps that of another tensor' : 'there is a gap before its data';
      cursor.tensor = name;
      throw cursor.failure('malformed', places.get(entry)!, what);
    }
    covered = end;
  }
  return { metadata, entries };
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) throw broken('malformed', 0, 'the header is empty');
  if (bytes[0] !== 0x7b) throw broken('bad_magic', prefixBytes, 'the header is not a JSON object');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw broken('invalid_utf8', prefixBytes, 'the header is not UTF-8');
  }
}

/** Errors about values have the offset of the tensor's name. */
function readEntry(cursor: HeaderCursor, name: string, at: number): TensorEntry {
  cursor.tensor = name;
  let dtype: string | undefined;
  let shape: number[] | undefined;
  let offsets: number[] | undefined;
  cursor.object((key) => {
    if (key === 'dtype') dtype = cursor.string();
    else if (key === 'shape') shape = cursor.array(() => cursor.natural());
    else if (key === 'data_offsets') offsets = cursor.array(() => cursor.natural());
    else
      throw cursor.failure('unknown_value', at, `its key ${JSON.stringify(key)} is not dtype, shape or data_offsets`);
  });
  if (dtype === undefined || !shape || !offsets) {
    throw cursor.failure('missing', at, 'its entry lacks dtype, shape or data_offsets');
  }
  if (bitsOf(dtype) === undefined) {
    throw cursor.failure('unknown_value', at, `its type ${JSON.stringify(dtype)} is not one of ${dtypeNames()}`);
  }
  const [begin = 1, end = 0] = offsets;
  if (offsets.length !== 2 || begin > end)
    throw cursor.failure('malformed', at, 'its data_offsets must be a begin and an end');
  if (bytesOf(dtype, shape) !== end - begin) {
    throw cursor.failure('mismatch', at, `its ${end - begin} bytes do not match its shape and type`);
  }
  cursor.tensor = undefined;
  return { name, dtype, shape, begin, end };
}

/** The header with the length before it, and padded with spaces to a multiple of 8 bytes. */
export function formatHeader({ metadata, entries }: Header): Uint8Array {
  // Built by hand: in an object, names that are integers would move to the front.
  const members = entries.map(
    ({ name, dtype, shape, begin, end }) =>
      `${JSON.stringify(name)}:${JSON.stringify({ dtype, shape, data_offsets: [begin, end] })}`,
  );
  if (Object.keys(metadata).length > 0) members.unshift(`"${metadataName}":${JSON.stringify(metadata)}`);
  const json = new TextEncoder().encode(`{${members.join(',')}}`);
  const bytes = Math.ceil(json.length / 8) * 8;
  if (bytes > maxHeaderBytes)
    throw inputError('limit', `the header would have ${bytes} bytes, at most ${maxHeaderBytes} are allowed`);
  const header = new Uint8Array(prefixBytes + bytes).fill(0x20);
  new DataView(header.buffer).setBigUint64(0, BigInt(bytes), true);
  header.set(json, prefixBytes);
  return header;
}
