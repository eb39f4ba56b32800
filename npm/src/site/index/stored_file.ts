// Compresses the files of an index, so that hosts need not, and readers notice damage: zlib's format has a checksum.

import { promisify } from 'node:util';
import { deflate, type InputType, type ZlibOptions } from 'node:zlib';

import { ByteWriter } from '../format/byte_writer.js';
import { type FileKind, fileName, kinds } from '../format/files.js';

/**
 * Receives a file of the index, with its path relative to the index. It is written when its bytes are there; a caller
 * that waits for the promise leaves no more files waiting than memory has room for.
 */
export type WriteFile = (name: string, bytes: Uint8Array | Promise<Uint8Array>) => Promise<void>;

/** A file's content, which begins with its kind and number. */
export function begin(kind: FileKind, number: number): ByteWriter {
  const writer = new ByteWriter();
  writer.byte(kinds[kind].charCodeAt(0));
  writer.number(number);
  return writer;
}

/** Compresses in Node's pool of threads. */
const deflated = promisify<InputType, ZlibOptions, Buffer>(deflate);

export const stored = (content: Uint8Array): Promise<Uint8Array> => deflated(content, { level: 9 });

/** Writes the files of a language's folder. */
export class FolderWriter {
  constructor(
    private readonly folder: string,
    private readonly write: WriteFile,
  ) {}

  content(kind: FileKind, number: number, content: ByteWriter): Promise<void> {
    return this.bytes(kind, number, stored(content.taken()));
  }

  bytes(kind: FileKind, number: number, bytes: Promise<Uint8Array>): Promise<void> {
    return this.write(fileName(this.folder, kind, number), bytes);
  }
}
