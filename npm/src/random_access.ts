// Sources that can be read in any order and more than once: what a conversion reads.

import { abortable } from './abort.js';
import { chunkBytes, seekableSource, type ByteSource, type RandomAccessSource } from './byte_source.js';

/** The source itself where it can be read in any order; else all of its bytes, which stay in memory. */
export async function randomAccess(source: ByteSource, signal?: AbortSignal): Promise<RandomAccessSource> {
  if (source.readAt) return source as RandomAccessSource;
  try {
    return await collect(source, signal);
  } finally {
    await source.close();
  }
}

/** In blocks of one size: a stream does not say how much will come. */
async function collect(source: ByteSource, signal: AbortSignal | undefined): Promise<RandomAccessSource> {
  const blocks: Uint8Array[] = [];
  let size = 0;
  for (let chunk; (chunk = await abortable(source.read(), signal)); ) {
    for (let at = 0; at < chunk.length; ) {
      const used = size % chunkBytes;
      if (used === 0) blocks.push(new Uint8Array(chunkBytes));
      const part = chunk.subarray(at, at + chunkBytes - used);
      blocks.at(-1)!.set(part, used);
      at += part.length;
      size += part.length;
    }
  }
  return seekableSource(size, async (position, length) => {
    const from = position % chunkBytes;
    return blocks[Math.floor(position / chunkBytes)]!.subarray(from, from + length);
  });
}

// Small tensors lie beside one another: one read of this size gets many of them.
const aheadBytes = 256 << 10;

/** Reads more than was asked for where that is little, and answers from it as long as it can. */
export function readAhead(source: RandomAccessSource): RandomAccessSource {
  let ahead: Uint8Array = new Uint8Array(0);
  let start = 0;
  return {
    ...source,
    async readAt(position, length) {
      if (position < start || position >= start + ahead.length) {
        // What stands in `ahead` is not valid while the source reads.
        ahead = ahead.subarray(0, 0);
        ahead = await source.readAt(position, Math.min(Math.max(length, aheadBytes), source.size - position));
        start = position;
      }
      return ahead.subarray(position - start, position - start + length);
    },
  };
}

/** A range of a source in pieces that go through a window. */
export async function* rangeOf(
  source: RandomAccessSource,
  offset: number,
  bytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes; ) {
    const part = await abortable(source.readAt(offset + at, bytes - at), signal);
    for (let i = 0; i < part.length; i += chunkBytes) yield part.subarray(i, i + chunkBytes);
    at += part.length;
  }
}
