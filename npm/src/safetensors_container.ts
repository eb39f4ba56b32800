// The safetensors container, strictly as its rules are: enough for the search index's own files.

import { QuintetError, type ErrorReason } from './errors.js';

export interface ContainedTensor {
  name: string;
  dtype: string;
  shape: number[];
  data: Uint8Array;
}

export interface Container {
  metadata: Record<string, string>;
  tensors: ContainedTensor[];
}

const dtypeBytes: Record<string, number> = {
  F64: 8, I64: 8, U64: 8, F32: 4, I32: 4, U32: 4, F16: 2, BF16: 2, I16: 2, U16: 2, I8: 1, U8: 1, BOOL: 1,
};

const maxHeaderBytes = 100_000_000;
const prefixBytes = 8;

/** The file's bytes: tensors ordered by the size of their type, then by name. The same content gives the same bytes. */
export function writeContainer({ metadata, tensors }: Container): Uint8Array {
  const ordered = [...tensors].sort(
    (a, b) => dtypeBytes[b.dtype]! - dtypeBytes[a.dtype]! || (a.name < b.name ? -1 : 1),
  );
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  for (const { name, dtype, shape, data } of ordered) {
    header[name] = { dtype, shape, data_offsets: [end, (end += data.length)] };
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = Math.ceil(json.length / 8) * 8;
  const file = new Uint8Array(prefixBytes + headerBytes + end).fill(0x20, prefixBytes, prefixBytes + headerBytes);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerBytes), true);
  file.set(json, prefixBytes);
  let at = prefixBytes + headerBytes;
  for (const { data } of ordered) {
    file.set(data, at);
    at += data.length;
  }
  return file;
}

/** Reads a file. The tensors' data are views of it. */
export function readContainer(file: Uint8Array): Container {
  if (file.length < prefixBytes) throw broken('truncated', file.length, 'the file has no header');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerBytes = Number(view.getBigUint64(0, true));
  if (headerBytes > maxHeaderBytes) throw broken('limit', 0, `the header would take ${headerBytes} bytes`);
  if (headerBytes > file.length - prefixBytes) throw broken('truncated', 0, 'the header is longer than the file');
  const header = parseHeader(file.subarray(prefixBytes, prefixBytes + headerBytes));
  const buffer = file.subarray(prefixBytes + headerBytes);
  const { __metadata__: metadata = {}, ...entries } = header;
  const tensors = Object.entries(entries).map(([name, entry]) => tensorOf(name, entry, buffer));
  checkCoverage(tensors, buffer);
  return { metadata: checkMetadata(metadata), tensors };
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  if (bytes[0] !== 0x7b) throw broken('bad_magic', prefixBytes, 'the header is not a JSON object');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw broken('invalid_utf8', prefixBytes, 'the header is not UTF-8');
  }
  try {
    const header = JSON.parse(text) as Record<string, unknown>;
    // Keys that occur twice are lost while parsing, but not in the text that they would give again.
    if (countKeys(text) === countKeys(JSON.stringify(header))) return header;
  } catch {
    throw broken('malformed', prefixBytes, 'the header is not JSON');
  }
  throw broken('duplicate', prefixBytes, 'a key of the header occurs twice');
}

/** Colons outside of strings. */
function countKeys(json: string): number {
  return json.replace(/"(?:[^"\\]|\\.)*"/gs, '').split(':').length;
}

function tensorOf(name: string, entry: unknown, buffer: Uint8Array): ContainedTensor {
  const { dtype, shape, data_offsets: offsets, ...more } = (entry ?? {}) as Record<string, unknown>;
  const fail = (reason: ErrorReason, what: string) => broken(reason, prefixBytes, what, name);
  if (Object.keys(more).length > 0) throw fail('malformed', 'its entry has unknown keys');
  if (typeof dtype !== 'string' || !isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) {
    throw fail('malformed', 'its entry is not complete');
  }
  const width = Object.hasOwn(dtypeBytes, dtype) ? dtypeBytes[dtype]! : undefined;
  if (width === undefined) throw fail('unknown_value', `its type ${JSON.stringify(dtype)} is not known`);
  const [begin, end] = offsets as [number, number];
  if (begin > end || end > buffer.length) throw fail('limit', 'its data lie outside of the file');
  if (shape.reduce((product, size) => product * size, width) !== end - begin) {
    throw fail('mismatch', 'its shape and its number of bytes contradict each other');
  }
  return { name, dtype, shape, data: buffer.subarray(begin, end) };
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

/** The data lie one after another, without holes, up to the end of the file. */
function checkCoverage(tensors: ContainedTensor[], buffer: Uint8Array): void {
  let end = buffer.byteOffset;
  const inOrder = [...tensors].sort(
    (a, b) => a.data.byteOffset - b.data.byteOffset || a.data.length - b.data.length,
  );
  for (const { name, data } of inOrder) {
    if (data.byteOffset !== end) throw broken('malformed', prefixBytes, 'its data leave a hole or overlap', name);
    end += data.length;
  }
  if (end !== buffer.byteOffset + buffer.length) {
    throw broken('trailing', prefixBytes, 'bytes that belong to no tensor');
  }
}

function checkMetadata(metadata: unknown): Record<string, string> {
  const isMap = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  if (isMap && Object.values(metadata).every((value) => typeof value === 'string')) {
    return metadata as Record<string, string>;
  }
  throw broken('malformed', prefixBytes, 'the metadata do not map strings to strings');
}

function broken(reason: ErrorReason, offset: number, what: string, tensor?: string): QuintetError {
  const where = tensor === undefined ? '' : `tensor ${JSON.stringify(tensor)}: `;
  return new QuintetError('FORMAT', `safetensors: ${where}${what}`, { reason, format: 'safetensors', offset, tensor });
}
