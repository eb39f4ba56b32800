// Opens a file, and feeds its bytes to a native reader.

import { abortable } from '../../base/abort.js';
import { memoryError, QuintetError } from '../../base/errors.js';
import { yieldIfDue } from '../../base/event_loop.js';
import { lazyModule } from '../../base/lazy_module.js';
import type { LoadProgress } from '../../base/types.js';
import { type ByteSource, chunkBytes } from '../../sources/bytes/byte_source.js';
import { type NativeHandle, type Outcome, unwrap } from '../native.js';
import type { Engine } from '../start/engine.js';

const sha256 = lazyModule(() => import('#platform/sha256'), 'Sha256');

/** Receives the progress of a load, and may abort it. */
export interface LoadContext {
  signal: AbortSignal | undefined;
  onProgress: ((progress: LoadProgress) => void) | undefined;
}

/** A file that can be opened. */
export interface Openable {
  open(signal: AbortSignal | undefined): Promise<ByteSource>;
}

export interface FeedOptions {
  signal?: AbortSignal | undefined;
  /** 'sha256-' and the expected base64 digest of all bytes. */
  integrity?: string | undefined;
  /** Called before the first byte and after every chunk. */
  onBytes?: ((loaded: number) => void) | undefined;
}

/** Receives bytes through a buffer in WebAssembly memory. */
export interface ByteSink {
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
}

/** Opens a file. If it opens after an abort, it is closed. */
export async function open(file: Openable, signal: AbortSignal | undefined): Promise<ByteSource> {
  const opening = file.open(signal);
  return abortable(opening, signal).catch((error: unknown) => {
    opening.then(
      (late) => late.close(),
      () => {},
    );
    throw error;
  });
}

/** The size of a source for native code: -1 if unknown. */
export const totalOf = (source: ByteSource): number => source.size ?? -1;

/** Feeds all bytes of a source, in order. Returns their number. */
export async function feedAll(
  engine: Engine,
  taker: ByteSink,
  source: Pick<ByteSource, 'read'>,
  options: FeedOptions,
): Promise<number> {
  const hash = options.integrity === undefined ? undefined : new (await sha256()).Sha256();
  let loaded = 0;
  options.onBytes?.(0);
  for (let chunk; (chunk = await abortable(source.read(), options.signal)); ) {
    for (let at = 0; at < chunk.length; at += chunkBytes) {
      const piece = chunk.subarray(at, at + chunkBytes);
      hash?.update(piece);
      feedPiece(engine, taker, piece);
      loaded += piece.length;
      options.onBytes?.(loaded);
      await abortable(yieldIfDue(), options.signal);
    }
  }
  if (hash && `sha256-${hash.digest()}` !== options.integrity) {
    throw new QuintetError('IO', "the file does not match option 'integrity'", { reason: 'integrity' });
  }
  return loaded;
}

export function feedPiece(engine: Engine, taker: ByteSink, piece: Uint8Array): void {
  engine.run(() => {
    const window = taker.window(piece.length);
    if (!window) throw memoryError(piece.length);
    window.set(piece);
    unwrap(taker.feed(piece.length));
  });
}

/** Creates a native object for the duration of a job. */
export async function using<T extends NativeHandle, R>(
  engine: Engine,
  create: () => T,
  job: (handle: T) => Promise<R>,
): Promise<R> {
  const handle = engine.run(create);
  try {
    return await job(handle);
  } finally {
    // After a trap the whole instance is discarded, with its memory.
    if (engine.usable) handle.delete();
  }
}
