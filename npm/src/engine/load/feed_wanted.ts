// Feeds a native reader the bytes that it asks for, from a source that can be read in any order.

import { abortable } from '../../base/abort.js';
import { yieldIfDue } from '../../base/event_loop.js';
import { chunkBytes, type RandomAccessSource } from '../../sources/bytes/byte_source.js';
import type { Engine } from '../start/engine.js';
import { type ByteSink, type FeedOptions, feedPiece } from './feed.js';

/** A reader that asks for the bytes it needs next. */
export interface SeekingTaker extends ByteSink {
  position(): number;
}

/** Feeds the bytes that the reader asks for. Returns the size of the source. */
export async function feedWanted(
  engine: Engine,
  taker: SeekingTaker,
  source: RandomAccessSource,
  { signal, onBytes }: Pick<FeedOptions, 'signal' | 'onBytes'>,
): Promise<number> {
  const { size } = source;
  let loaded = 0;
  onBytes?.(0);
  let bytes = firstBytes / 2;
  for (let previous = -1, end = 0; ; ) {
    const position = engine.run(() => taker.position());
    // A reader that is done stays where it is.
    if (position >= size || position === previous) return size;
    // A reader that continues where the last piece ended is reading something long. One that skipped wants the next
    // record.
    bytes = position === end ? Math.min(2 * bytes, chunkBytes) : recordBytes;
    const piece = await abortable(source.readAt(position, Math.min(bytes, size - position)), signal);
    feedPiece(engine, taker, piece);
    onBytes?.((loaded += piece.length));
    await abortable(yieldIfDue(), signal);
    previous = position;
    end = position + piece.length;
  }
}

// Most headers and tables are smaller than this.
const firstBytes = 64 << 10;
// The records between the tensors of AMB and ALT files are far smaller than this.
const recordBytes = 4 << 10;
