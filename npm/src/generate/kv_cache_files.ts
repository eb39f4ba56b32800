// Saves and loads the KV cache of a session as a file, in the thread of its engine.

import { throwIfAborted } from '../base/abort.js';
import { allocate } from '../base/allocation.js';
import { closedError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { feedAll, using } from '../engine/load/feed.js';
import { type NativeCacheWriter, type NativeReader, unwrap } from '../engine/native.js';
import type { Engine } from '../engine/start/engine.js';

/** `check` throws if the work must stop. */
export function wholeFile(engine: Engine, create: () => NativeCacheWriter, check: () => void): Promise<Uint8Array> {
  return using(engine, create, async (writer) => {
    const file = allocate(
      Uint8Array,
      engine.run(() => writer.bytes()),
    );
    for (let at = 0; ; ) {
      const piece = engine.run(() => unwrap(writer.take()));
      if (piece.length === 0) return file;
      file.set(piece, at);
      at += piece.length;
      await yieldIfDue();
      check();
    }
  });
}

/** The session changes only after the whole file was read and checked. */
export function readWholeFile(
  engine: Engine,
  create: () => NativeReader<undefined>,
  read: () => Promise<Uint8Array | null>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return using(engine, create, async (loader) => {
    await feedAll(engine, loader, { read }, { signal });
    throwIfAborted(signal);
    engine.run(() => unwrap(loader.finish()));
  });
}

/** Writers of files that are read piece by piece, by the numbers that the reader assigned. */
export class OpenWriters {
  private readonly writers = new Map<number, NativeCacheWriter>();

  constructor(private readonly engine: Engine) {}

  open(number: number, create: () => NativeCacheWriter): void {
    this.writers.set(number, this.engine.run(create));
  }

  /** Empty at the end. */
  next(number: number): Uint8Array {
    const writer = this.writers.get(number);
    if (!writer) throw closedError();
    return this.engine.run(() => unwrap(writer.take()).slice());
  }

  close(number: number): void {
    if (this.engine.usable) this.writers.get(number)?.delete();
    this.writers.delete(number);
  }

  closeAll(): void {
    for (const number of this.writers.keys()) this.close(number);
  }
}
