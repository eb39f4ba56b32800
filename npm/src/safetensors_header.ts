// The header of a safetensors file, strictly as the official rules are.

import { QuintetError, type ErrorReason } from './errors.js';

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
  /** In the order of the data, which they cover without holes. */
  entries: TensorEntry[];
}

const dtypeBits: Record<string, number> = {
  F64: 64, I64: 64, U64: 64, C64: 64, F32: 32, I32: 32, U32: 32, F16: 16, BF16: 16, I16: 16, U16: 16,
  I8: 8, U8: 8, BOOL: 8, F8_E4M3: 8, F8_E5M2: 8, F8_E8M0: 8, F6_E2M3: 6, F6_E3M2: 6, F4: 4,
};

/** The header's length stands before it. */
export const prefixBytes = 8;
export const maxHeaderBytes = 100_000_000;

/** Bits of one value; undefined where there is no such type. */
export function bitsOf(dtype: string): number | undefined {
  return Object.hasOwn(dtypeBits, dtype) ? dtypeBits[dtype] : undefined;
}

/** Undefined where the values end inside a byte, or are too many to count. */
export function bytesOf(dtype: string, shape: readonly number[]): number | undefined {
  let values = 1;
  for (const size of shape) if (!Number.isSafeInteger((values *= size))) return undefined;
  const bytes = (values * (bitsOf(dtype) ?? NaN)) / 8;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** `bytes`: the header alone. */
export function parseHeader(bytes: Uint8Array): Header {
  const text = textOf(bytes);
  const { __metadata__: metadata = {}, ...members } = parseObject(text);
  // An error about a tensor is at its name.
  const entries = Object.entries(members).map(([name, entry]) =>
    entryOf(name, entry, (reason, what) => broken(reason, offsetOf(JSON.stringify(name), text), what, name)),
  );
  entries.sort((a, b) => a.begin - b.begin || a.end - b.end);
  checkCoverage(entries, (what, name) => broken('malformed', offsetOf(JSON.stringify(name), text), what, name));
  if (isTextMap(metadata)) return { metadata, entries };
  throw broken('malformed', offsetOf('"__metadata__"', text), 'the metadata do not map strings to strings');
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

function parseObject(text: string): Record<string, unknown> {
  let header: Record<string, unknown>;
  let again: string;
  try {
    header = JSON.parse(text) as Record<string, unknown>;
    again = JSON.stringify(header);
  } catch {
    // Where it does not end as an object, its length is wrong.
    throw broken('malformed', /\}\s*$/.test(text) ? prefixBytes : 0, 'the header is not JSON');
  }
  // Keys that occur twice are lost while parsing, but not in the text.
  const frame = frameOf(text);
  if (frame.split(':').length !== frameOf(again).split(':').length) {
    throw broken('duplicate', prefixBytes, 'a key of the header occurs twice');
  }
  // 1.0 and 1e2 parse to whole numbers.
  if (/\d[.eE]/.test(frame)) throw broken('malformed', prefixBytes, 'a number of the header is not a natural number');
  return header;
}

/** JSON without its strings. */
const frameOf = (json: string) => json.replace(/"(?:[^"\\]|\\.)*"/g, '');

function entryOf(
  name: string,
  entry: unknown,
  failure: (reason: ErrorReason, what: string) => QuintetError,
): TensorEntry {
  const { dtype, shape, data_offsets: offsets, ...more } = (entry ?? {}) as Record<string, unknown>;
  if (Object.keys(more).length > 0) throw failure('unknown_value', 'its entry has unknown keys');
  if (typeof dtype !== 'string' || !isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) {
    throw failure('malformed', 'its entry is not a type, a shape and two offsets');
  }
  if (bitsOf(dtype) === undefined) throw failure('unknown_value', `its type ${JSON.stringify(dtype)} is not known`);
  const [begin, end] = offsets as [number, number];
  if (begin > end) throw failure('malformed', 'its data end before they begin');
  if (bytesOf(dtype, shape) !== end - begin) {
    throw failure('mismatch', `its ${end - begin} bytes are not what its shape and type need`);
  }
  return { name, dtype, shape, begin, end };
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function checkCoverage(entries: readonly TensorEntry[], failure: (what: string, name: string) => QuintetError): void {
  let covered = 0;
  for (const { name, begin, end } of entries) {
    if (begin < covered) throw failure('its data overlap those of another', name);
    if (begin > covered) throw failure('its data leave a hole before them', name);
    covered = end;
  }
}

export function isTextMap(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}

/** Byte of the file at which a part of the header begins. */
function offsetOf(part: string, text: string): number {
  return prefixBytes + new TextEncoder().encode(text.slice(0, Math.max(0, text.indexOf(part)))).length;
}

/** With the length before it and spaces after it, up to a multiple of 8. */
export function formatHeader({ metadata, entries }: Header): Uint8Array {
  // Built by hand: an object would move names that are numbers to its front.
  const members = entries.map(
    ({ name, dtype, shape, begin, end }) =>
      `${JSON.stringify(name)}:${JSON.stringify({ dtype, shape, data_offsets: [begin, end] })}`,
  );
  if (Object.keys(metadata).length > 0) members.unshift(`"__metadata__":${JSON.stringify(metadata)}`);
  const json = new TextEncoder().encode(`{${members.join(',')}}`);
  const bytes = Math.ceil(json.length / 8) * 8;
  const header = new Uint8Array(prefixBytes + bytes).fill(0x20);
  new DataView(header.buffer).setBigUint64(0, BigInt(bytes), true);
  header.set(json, prefixBytes);
  return header;
}

export function broken(reason: ErrorReason, offset: number, what: string, tensor?: string): QuintetError {
  const where = tensor === undefined ? '' : `tensor ${JSON.stringify(tensor)}: `;
  return new QuintetError('FORMAT', `safetensors: ${where}${what}`, { reason, format: 'safetensors', offset, tensor });
}
