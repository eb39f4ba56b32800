// Reads whole safetensors files from a source, and writes them to bytes.

import { abortable } from '../base/abort.js';
import { allocate } from '../base/allocation.js';
import { requireGlobals } from '../base/errors.js';
import type { ModelSource } from '../base/types.js';
import type { ByteSource } from '../sources/bytes/byte_source.js';
import { openSource } from '../sources/open_source.js';
import { bitsOf, bytesOf, formatHeader, type Header, maxHeaderBytes, parseHeader } from './header.js';
import { broken, prefixBytes } from './json.js';

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

/** The file's bytes. The same content gives the same bytes. */
export function writeContainer({ metadata, tensors }: Container): Uint8Array {
  const { header, ordered, dataBytes } = layOut(metadata, tensors);
  const file = allocate(Uint8Array, header.length + dataBytes);
  file.set(header);
  let at = header.length;
  for (const { data } of ordered) {
    file.set(data, at);
    at += data.length;
  }
  return file;
}

interface Named {
  name: string;
  dtype: string;
  shape: readonly number[];
}

/** The header of a file with these tensors, ordered by the size of their type, then by name. */
export function layOut<T extends Named>(metadata: Readonly<Record<string, string>>, tensors: readonly T[]) {
  const ordered = [...tensors].sort((a, b) => bitsOf(b.dtype)! - bitsOf(a.dtype)! || compareUtf8(a.name, b.name));
  let dataBytes = 0;
  const entries = ordered.map(({ name, dtype, shape }) => ({
    name,
    dtype,
    shape: [...shape],
    begin: dataBytes,
    end: (dataBytes += bytesOf(dtype, shape)!),
  }));
  return { header: formatHeader({ metadata, entries }), ordered, dataBytes };
}

/** By code points, as UTF-8 sorts; `<` sorts by UTF-16 units. */
function compareUtf8(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, i) => character !== right[i]);
  return at < 0 ? left.length - right.length : left[at]!.codePointAt(0)! - (right[at]?.codePointAt(0) ?? -1);
}

/**
 * Reads a file; the header is checked before any data is read. The tensors' data are views of one buffer. `pause` is
 * awaited after every few megabytes.
 */
export async function readContainer(
  source: ModelSource,
  signal?: AbortSignal,
  pause = async (): Promise<void> => {},
): Promise<Container> {
  const opened = await openSource(source, { signal });
  const take = takingFrom(opened, signal, pause);
  try {
    const { metadata, entries, dataStart, end } = await readFrame(take, opened.size);
    const data = await take(end - dataStart);
    checkEnd(dataStart + data.length + (await take(1)).length, end);
    const tensors = entries.map(({ name, dtype, shape, begin, end }) => ({
      name,
      dtype,
      shape,
      data: data.subarray(begin, end),
    }));
    return { metadata, tensors };
  } finally {
    await opened.close();
  }
}

/** The header, and the layout of the file. */
export interface Frame extends Header {
  dataStart: number;
  /** Size of the file according to its header. */
  end: number;
}

/** The first bytes of files that are often mistaken for safetensors. */
const otherFiles = [
  ['version ', 'a Git LFS pointer, without the actual file'],
  ['<', 'a web page or XML'],
  ['PK', 'a zip archive'],
] as const;

/**
 * Reads the header and checks it against the size of the file, if that is known. `take` returns the next bytes of the
 * file, fewer only at its end.
 */
export async function readFrame(
  take: (bytes: number) => Promise<Uint8Array>,
  size: number | undefined,
): Promise<Frame> {
  requireGlobals();
  const prefix = await take(prefixBytes);
  if (prefix.length < prefixBytes) throw broken('truncated', prefix.length, 'the file has no header');
  const headerBytes = Number(new DataView(prefix.buffer, prefix.byteOffset).getBigUint64(0, true));
  if (headerBytes > maxHeaderBytes) {
    const begin = String.fromCharCode(...prefix);
    const other = otherFiles.find(([first]) => begin.startsWith(first));
    if (other) throw broken('bad_magic', 0, `it looks like ${other[1]}`);
    throw broken('limit', 0, `a header of ${headerBytes} bytes, at most ${maxHeaderBytes} are allowed`);
  }
  const dataStart = prefixBytes + headerBytes;
  const text = dataStart <= (size ?? Infinity) ? await take(headerBytes) : undefined;
  if (!text || text.length < headerBytes) throw broken('truncated', 0, 'the header is longer than the file');
  const header = parseHeader(text);
  const end = dataStart + (header.entries.at(-1)?.end ?? 0);
  if (size !== undefined) checkEnd(size, end);
  return { ...header, dataStart, end };
}

/**
 * Returns a function that reads this many bytes, or all up to the end of the file, in a buffer that grows as they
 * arrive.
 */
function takingFrom(source: ByteSource, signal: AbortSignal | undefined, pause: () => Promise<void>) {
  /** Bytes that were read but not taken yet. */
  let rest: Uint8Array = new Uint8Array(0);
  return async (bytes: number): Promise<Uint8Array> => {
    // If the size of the file is known, `bytes` was checked against it.
    let taken = allocate(Uint8Array, source.size === undefined ? Math.min(bytes, firstBytes) : bytes);
    let length = 0;
    while (length < bytes) {
      const chunk = rest.length > 0 ? rest : await abortable(source.read(), signal);
      if (!chunk) break;
      const part = chunk.subarray(0, Math.min(bytes - length, copyBytes));
      if (length + part.length > taken.length) {
        const larger = allocate(Uint8Array, Math.min(bytes, Math.max(2 * taken.length, length + part.length)));
        larger.set(taken);
        taken = larger;
      }
      taken.set(part, length);
      length += part.length;
      rest = chunk.subarray(part.length);
      await pause();
    }
    return taken.subarray(0, length);
  };
}

const firstBytes = 1 << 20;
/** Copied between two pauses. */
const copyBytes = 1 << 22;

function checkEnd(length: number, end: number): void {
  if (length < end) throw broken('truncated', length, `the data should end at byte ${end}`);
  if (length > end) throw broken('trailing', end, 'there are bytes after the last tensor');
}
