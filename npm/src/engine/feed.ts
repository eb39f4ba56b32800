// Bytes on their way from a source into a native reader.

import { abortable } from '../base/abort.js';
import { chunkBytes, type ByteSource, type RandomAccessSource } from '../bytes/byte_source.js';
import type { Engine } from './engine.js';
import { memoryError, QuintetError } from '../base/errors.js';
import { breathe } from '../base/event_loop.js';
import { unwrap, type NativeHandle, type Outcome } from './native.js';
import { Sha256 } from '../base/sha256.js';

export interface FeedOptions {
  signal?: AbortSignal | undefined;
  /** 'sha256-' and the base64 digest that all the bytes must have. */
  integrity?: string | undefined;
  /** Called before the first byte and after every chunk. */
  onBytes?: ((loaded: number) => void) | undefined;
}

/** What takes bytes through a window in wasm memory. */
export interface ByteTaker {
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
}

/** What says which bytes it wants next. */
export interface SeekingTaker extends ByteTaker {
  position(): number;
}

/** The length of a source as native code wants it. */
export const totalOf = (source: ByteSource): number => source.size ?? -1;

/** Feeds every byte of a source, in order; gives their number. */
export async function feedAll(
  engine: Engine,
  taker: ByteTaker,
  source: Pick<ByteSource, 'read'>,
  options: FeedOptions,
): Promise<number> {
  const hash = options.integrity === undefined ? undefined : new Sha256();
  let loaded = 0;
  options.onBytes?.(0);
  for (let chunk; (chunk = await abortable(source.read(), options.signal)); ) {
    for (let at = 0; at < chunk.length; at += chunkBytes) {
      const piece = chunk.subarray(at, at + chunkBytes);
      hash?.update(piece);
      feedPiece(engine, taker, piece);
      loaded += piece.length;
      options.onBytes?.(loaded);
      await abortable(breathe(), options.signal);
    }
  }
  if (hash && `sha256-${hash.digest()}` !== options.integrity) {
    throw new QuintetError('IO', 'the bytes are not those that `integrity` names', { reason: 'integrity' });
  }
  return loaded;
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

export function feedPiece(engine: Engine, taker: ByteTaker, piece: Uint8Array): void {
  engine.run(() => {
    const window = taker.window(piece.length);
    if (!window) throw memoryError(piece.length);
    window.set(piece);
    unwrap(taker.feed(piece.length));
  });
}

/** A native object for the time of a job. */
export async function using<T extends NativeHandle, R>(
  engine: Engine,
  create: () => T,
  job: (handle: T) => Promise<R>,
): Promise<R> {
  const handle = engine.run(create);
  try {
    return await job(handle);
  } finally {
    // The memory of an engine that trapped is gone as a whole.
    if (engine.usable) handle.delete();
  }
}
