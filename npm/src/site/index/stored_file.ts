// Compresses the files of an index, so that hosts need not, and readers notice damage: zlib's format has a checksum.

import { deflateSync } from 'node:zlib';

import { ByteWriter } from '../format/byte_writer.js';
import { type FileKind, fileName, kinds } from '../format/files.js';

/**
 * Receives a file of the index, with its path relative to the index. A caller that waits for the promise leaves no more
 * files waiting than memory has room for.
 */
export type WriteFile = (name: string, bytes: Uint8Array) => Promise<void>;

/** A file's content, which begins with its kind and number. */
export function begin(kind: FileKind, number: number): ByteWriter {
  const writer = new ByteWriter();
  writer.byte(kinds[kind].charCodeAt(0));
  writer.number(number);
  return writer;
}

/**
 * Compresses a file in this thread, since Node's pool of threads is slower for small ones, and with little memory, since
 * zlib's usual 256 KB take longer to allocate. The result is the same except for the header: the window has room for the
 * whole file, and the buffer for its symbols.
 */
export function stored(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content;
  const bytes = deflateSync(content, {
    level: 9,
    windowBits: between(9, Math.ceil(Math.log2(length + lookahead)), 15),
    memLevel: between(1, Math.ceil(Math.log2(length + 1)) - symbolBits, 8),
    chunkSize: between(64, length + 64, 1 << 16),
  });
  // A copy, because Node's own buffers are larger, or share memory, which cannot be transferred to another thread.
  return Uint8Array.from(bytes);
}

/** Bytes of the window that zlib does not look back to. */
const lookahead = 262;
/** Memory level m has room for 2^(m + 6) symbols. */
const symbolBits = 6;

const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value));

/** Takes the contents of files. */
export interface ContentWriter {
  content(kind: FileKind, number: number, content: ByteWriter): Promise<void>;
}

/** Writes the files of a language's folder. */
export class FolderWriter implements ContentWriter {
  constructor(
    private readonly folder: string,
    private readonly write: WriteFile,
  ) {}

  content(kind: FileKind, number: number, content: ByteWriter): Promise<void> {
    return this.bytes(kind, number, stored(content.taken()));
  }

  bytes(kind: FileKind, number: number, bytes: Uint8Array): Promise<void> {
    return this.write(fileName(this.folder, kind, number), bytes);
  }
}

/** A compressed file that is not written yet. */
export interface StoredFile {
  kind: FileKind;
  number: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Keeps compressed files for another thread to write. */
export class CollectedFiles implements ContentWriter {
  readonly files: StoredFile[] = [];

  async content(kind: FileKind, number: number, content: ByteWriter): Promise<void> {
    this.files.push({ kind, number, bytes: stored(content.taken()) });
  }
}
