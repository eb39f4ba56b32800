// Bytes of a source that is read in any order, for a native reader that says which it wants.

import { abortable } from '../base/abort.js';
import { breathe } from '../base/event_loop.js';
import { chunkBytes, type RandomAccessSource } from '../bytes/byte_source.js';
import type { Engine } from './engine.js';
import { feedPiece, type ByteTaker, type FeedOptions } from './feed.js';

/** What says which bytes it wants next. */
export interface SeekingTaker extends ByteTaker {
  position(): number;
}

/** Feeds the bytes that the reader asks for, of a source that can be read in any order; gives the source's length. */
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
    // A reader that is content stays where it is.
    if (position >= size || position === previous) return size;
    // One that goes on where the last piece ended reads something long; one that has skipped wants the next record.
    bytes = position === end ? Math.min(2 * bytes, chunkBytes) : recordBytes;
    const piece = await abortable(source.readAt(position, Math.min(bytes, size - position)), signal);
    feedPiece(engine, taker, piece);
    onBytes?.((loaded += piece.length));
    await abortable(breathe(), signal);
    previous = position;
    end = position + piece.length;
  }
}

// Most headers and tables are smaller than this ...
const firstBytes = 64 << 10;
// ... and the records between the tensors of AMB and ALT files than this, by far.
const recordBytes = 4 << 10;
