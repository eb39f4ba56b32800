// Sources that can be read in any order and more than once.

import { abortable } from '../../base/abort.js';
import { type ByteSource, chunkBytes, type RandomAccessSource, seekableSource } from './byte_source.js';

/** The source itself if it can be read in any order; else all of its bytes, in memory. */
export async function randomAccess(source: ByteSource, signal?: AbortSignal): Promise<RandomAccessSource> {
  if (source.readAt) return source as RandomAccessSource;
  try {
    return await collect(source, signal);
  } finally {
    await source.close();
  }
}

/** Collects blocks of equal size, because the length of a stream is not known. */
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
