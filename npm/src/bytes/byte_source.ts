// All kinds of model sources become one: bytes in order and, where that is possible, from any place.

import { inputError, ioError, messageOf, QuintetError } from '../base/errors.js';
import { isBytes, typeName } from '../base/values.js';

export interface ByteSource {
  /** Length in bytes, where it is known for certain. */
  readonly size?: number | undefined;
  /** What tells the file from every other that was or will be at its place, where there is such a thing. */
  readonly version?: string;
  /** Bytes of the file before those that come, where only a part was asked for. */
  readonly start?: number;
  /**
   * The next bytes, or null at the end. They belong to the source or to the caller of the package: they are copied
   * before the next call and never kept, changed or transferred.
   */
  read(): Promise<Uint8Array | null>;
  /**
   * Between 1 and `length` bytes from `position` on, for sources that can be read in any order. `size` is known
   * then.
   */
  readAt?(position: number, length: number): Promise<Uint8Array>;
  /** Releases what lies behind it: cancels a stream, closes a file. Safe at any time, also after the end. */
  close(): Promise<void>;
}

/** A source that can be read in any order. */
export interface RandomAccessSource extends ByteSource {
  readonly size: number;
  readAt(position: number, length: number): Promise<Uint8Array>;
}

/** Most bytes that are copied into wasm memory, read from a file or sent to a worker at once. */
export const chunkBytes = 1 << 20;

/** Such a source: `readAt` gives between 1 and `length` bytes, all within the file. */
export function seekableSource(
  size: number,
  readAt: (position: number, length: number) => Promise<Uint8Array>,
  close: () => Promise<void> = async () => {},
): RandomAccessSource {
  let at = 0;
  return {
    size,
    async read() {
      if (at >= size) return null;
      const chunk = await readAt(at, Math.min(chunkBytes, size - at));
      at += chunk.length;
      return chunk;
    },
    readAt,
    close,
  };
}

/** All the bytes of a source, in pieces that can be copied at once. They are the source's own. */
export async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  for (let chunk; (chunk = await source.read()); ) {
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes);
  }
}

export function bytesSource(bytes: Uint8Array): RandomAccessSource {
  return seekableSource(bytes.length, async (position, length) =>
    bytes.subarray(position, position + length),
  );
}

export function blobSource(blob: Blob): RandomAccessSource {
  return seekableSource(blob.size, async (position, length) => {
    try {
      return new Uint8Array(await blob.slice(position, position + length).arrayBuffer());
    } catch (error) {
      throw ioError('read_failed', `the blob cannot be read: ${messageOf(error)}`, error);
    }
  });
}

/** A stream of bytes; `size` where the caller knows it for certain. */
export function streamSource(stream: ReadableStream<Uint8Array>, size?: number): ByteSource {
  if (stream.locked) throw inputError('used', 'the stream is locked: it is or was read elsewhere');
  const reader = stream.getReader();
  return {
    ...(size === undefined ? {} : { size }),
    read: () => nextChunk(() => reader.read()),
    async close() {
      // A stream that failed answers with its error once more; the first one was reported.
      await reader.cancel().catch(() => {});
      reader.releaseLock();
    },
  };
}

export function iterableSource(iterable: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = iterable[Symbol.asyncIterator]();
  let ended = false;
  return {
    async read() {
      const chunk = await nextChunk(() => iterator.next());
      ended = !chunk;
      return chunk;
    },
    async close() {
      if (ended) return;
      ended = true;
      // Not awaited: an iterator that hangs in next() would hang here as well.
      void Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}

/** The next chunk with bytes, or null at the end. */
async function nextChunk(read: () => Promise<{ done?: boolean; value?: unknown }>): Promise<Uint8Array | null> {
  for (;;) {
    let next;
    try {
      next = await read();
    } catch (error) {
      throw error instanceof QuintetError ? error : ioError('read_failed', `the source failed: ${messageOf(error)}`, error);
    }
    const { done, value } = next;
    if (done) return null;
    if (!isBytes(value)) throw inputError('wrong_type', `a chunk of the source is not a Uint8Array but ${typeName(value)}`);
    if (value.length) return value;
  }
}
