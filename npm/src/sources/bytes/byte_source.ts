// The common interface of all model sources: bytes in order and, if possible, at any position.

import { inputError, ioError, messageOf, QuintetError } from '../../base/errors.js';
import { isBytes, typeName } from '../../base/values.js';

export interface ByteSource {
  /** Size in bytes, if it is known for certain. */
  readonly size?: number | undefined;
  /** Identifies the version of the file at its location, if it can be identified. */
  readonly version?: string;
  /** Position of the first byte in the file, if only a part was requested. */
  readonly start?: number;
  /**
   * The next bytes, or null at the end. They belong to the source or to the caller of the package: copy them before the
   * next call, and never keep, change or transfer them.
   */
  read(): Promise<Uint8Array | null>;
  /**
   * Between 1 and `length` bytes from `position` on, for sources that can be read in any order. `size` is then known.
   */
  readAt?(position: number, length: number): Promise<Uint8Array>;
  /** Releases the stream or file behind the source. Allowed at any time, even after the end. */
  close(): Promise<void>;
}

/** A source that can be read in any order. */
export interface RandomAccessSource extends ByteSource {
  readonly size: number;
  readAt(position: number, length: number): Promise<Uint8Array>;
}

/** Maximum number of bytes that are copied into WebAssembly memory, read from a file or sent to a worker at once. */
export const chunkBytes = 1 << 20;

type ReadAt = RandomAccessSource['readAt'];

/**
 * Creates such a source. `readAt` returns between 1 and `length` bytes, all within the file. With `ahead`, which does
 * the same, read() starts to read the next chunk before the caller has worked on the last one: what it returns must
 * stay valid until it is called twice more.
 */
export function seekableSource(
  size: number,
  readAt: ReadAt,
  close: () => Promise<void> = async () => {},
  ahead?: ReadAt,
): RandomAccessSource {
  let at = 0;
  let next: Promise<Uint8Array> | undefined;
  const readNext = () => (ahead ?? readAt)(at, Math.min(chunkBytes, size - at));
  return {
    size,
    async read() {
      if (at >= size) return null;
      const chunk = await (next ?? readNext());
      at += chunk.length;
      next = ahead && at < size ? readNext() : undefined;
      // A failure is reported by the call that wants the chunk.
      next?.catch(() => {});
      return chunk;
    },
    readAt,
    close,
  };
}

/** All bytes of a source, in pieces of at most `chunkBytes`. They belong to the source. */
export async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  for (let chunk; (chunk = await source.read()); ) {
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes);
  }
}

export function bytesSource(bytes: Uint8Array): RandomAccessSource {
  return seekableSource(bytes.length, async (position, length) => bytes.subarray(position, position + length));
}

export function blobSource(blob: Blob): RandomAccessSource {
  const readAt: ReadAt = async (position, length) => {
    try {
      return new Uint8Array(await blob.slice(position, position + length).arrayBuffer());
    } catch (error) {
      throw ioError('read_failed', `cannot read the Blob: ${messageOf(error)}`, error);
    }
  };
  return seekableSource(blob.size, readAt, undefined, readAt);
}

/** A stream of bytes. `size` is given if it is known for certain. */
export function streamSource(stream: ReadableStream<Uint8Array>, size?: number): ByteSource {
  if (stream.locked) throw inputError('used', 'the stream is locked: it has another reader');
  const reader = stream.getReader();
  return {
    ...(size === undefined ? {} : { size }),
    read: () => nextChunk(() => reader.read()),
    async close() {
      // A failed stream rejects with its error again, which was already reported.
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
      // Not awaited: an iterator that hangs in next() would also hang here.
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
      throw error instanceof QuintetError
        ? error
        : ioError('read_failed', `cannot read the source: ${messageOf(error)}`, error);
    }
    const { done, value } = next;
    if (done) return null;
    if (!isBytes(value))
      throw inputError('wrong_type', `a chunk of the source must be a Uint8Array, not ${typeName(value)}`);
    if (value.length) return value;
  }
}

/** The error for a value that is not a source. */
export function notSource(source: unknown): QuintetError {
  const sources = 'a path, URL, Blob, bytes, Request, Response, stream or iterable';
  return inputError('wrong_type', `the source must be ${sources}, not ${typeName(source)}`);
}
