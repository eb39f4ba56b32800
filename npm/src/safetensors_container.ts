// Whole safetensors files: from a source into memory, and from memory into bytes.

import type { ByteSource } from './byte_source.js';
import { memoryError } from './errors.js';
import { bitsOf, broken, formatHeader, maxHeaderBytes, parseHeader, prefixBytes } from './safetensors_header.js';
import { openSource } from './source.js';
import type { ModelSource } from './types.js';

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

/** The file's bytes: tensors ordered by the size of their type, then by name. The same content gives the same bytes. */
export function writeContainer({ metadata, tensors }: Container): Uint8Array {
  const ordered = [...tensors].sort((a, b) => bitsOf(b.dtype)! - bitsOf(a.dtype)! || compareUtf8(a.name, b.name));
  let end = 0;
  const entries = ordered.map(({ name, dtype, shape, data }) => ({
    name, dtype, shape, begin: end, end: (end += data.length),
  }));
  const header = formatHeader({ metadata, entries });
  const file = allocate(header.length + end);
  file.set(header);
  ordered.forEach(({ data }, i) => file.set(data, header.length + entries[i]!.begin));
  return file;
}

/** By code points, as UTF-8 sorts; `<` sorts by UTF-16 units. */
function compareUtf8(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, i) => character !== right[i]);
  if (at < 0) return left.length - right.length;
  return at < right.length ? left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)! : 1;
}

/** Reads a file; the header is checked before any data is read. The tensors' data are views of one buffer. */
export async function readContainer(source: ModelSource): Promise<Container> {
  const opened = await openSource(source);
  try {
    return await new ContainerReader(opened).read();
  } finally {
    await opened.close();
  }
}

class ContainerReader {
  /** What was read and not taken yet. */
  private rest: Uint8Array = new Uint8Array(0);

  constructor(private readonly source: ByteSource) {}

  async read(): Promise<Container> {
    const { size = Infinity } = this.source;
    const prefix = await this.take(prefixBytes);
    if (prefix.length < prefixBytes) throw broken('truncated', prefix.length, 'the file has no header');
    const headerBytes = Number(new DataView(prefix.buffer).getBigUint64(0, true));
    if (headerBytes > maxHeaderBytes) throw broken('limit', 0, `the header would take ${headerBytes} bytes`);
    const dataStart = prefixBytes + headerBytes;
    const tooLong = () => broken('truncated', 0, 'the header is longer than the file');
    if (dataStart > size) throw tooLong();
    const text = await this.take(headerBytes);
    if (text.length < headerBytes) throw tooLong();
    const { metadata, entries } = parseHeader(text);

    const dataBytes = entries.at(-1)?.end ?? 0;
    if (size !== Infinity) checkEnd(size, dataStart + dataBytes);
    const data = await this.take(dataBytes);
    checkEnd(dataStart + data.length + (await this.take(1)).length, dataStart + dataBytes);
    const tensors = entries.map(({ name, dtype, shape, begin, end }) => ({
      name, dtype, shape, data: data.subarray(begin, end),
    }));
    return { metadata, tensors };
  }

  /** So many bytes, or all up to the end of the file, in memory of their own that grows with what arrives. */
  private async take(bytes: number): Promise<Uint8Array> {
    // A size that is known has been checked against `bytes`.
    let taken = allocate(this.source.size === undefined ? Math.min(bytes, firstBytes) : bytes);
    let length = 0;
    while (length < bytes) {
      const chunk = this.rest.length > 0 ? this.rest : await this.source.read();
      if (!chunk) break;
      const part = chunk.subarray(0, bytes - length);
      if (length + part.length > taken.length) {
        const larger = allocate(Math.min(bytes, Math.max(2 * taken.length, length + part.length)));
        larger.set(taken);
        taken = larger;
      }
      taken.set(part, length);
      length += part.length;
      this.rest = chunk.subarray(part.length);
    }
    return taken.subarray(0, length);
  }
}

const firstBytes = 1 << 20;

function checkEnd(length: number, end: number): void {
  if (length < end) throw broken('truncated', length, `the data should end at byte ${end}`);
  if (length > end) throw broken('trailing', end, 'bytes that belong to no tensor');
}

function allocate(bytes: number): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch {
    throw memoryError(bytes);
  }
}
