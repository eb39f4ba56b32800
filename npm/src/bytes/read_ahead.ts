// Reading from sources in any order, in few and bounded pieces.

import { abortable } from '../base/abort.js';
import { chunkBytes, type RandomAccessSource } from './byte_source.js';

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
