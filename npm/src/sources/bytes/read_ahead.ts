// Reads sources in any order, in few pieces of limited size.

import { abortable } from '../../base/abort.js';
import { chunkBytes, type RandomAccessSource } from './byte_source.js';

// Small tensors are often adjacent: one read of this size covers many of them.
const aheadBytes = 256 << 10;

/** Extends small reads, and serves later reads from the extra bytes. */
export function readAhead(source: RandomAccessSource): RandomAccessSource {
  let ahead: Uint8Array = new Uint8Array(0);
  let start = 0;
  return {
    ...source,
    async readAt(position, length) {
      if (position < start || position >= start + ahead.length) {
        // The bytes in `ahead` are not valid while the source reads.
        ahead = ahead.subarray(0, 0);
        ahead = await source.readAt(position, Math.min(Math.max(length, aheadBytes), source.size - position));
        start = position;
      }
      return ahead.subarray(position - start, position - start + length);
    },
  };
}

/** A range of a source, in pieces of at most `chunkBytes`. */
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
