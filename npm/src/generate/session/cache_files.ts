// Saves and loads the KV cache of a session as a file, in the thread of its engine.

import { abortable, throwIfAborted } from '../../base/abort.js';
import { allocate } from '../../base/allocation.js';
import { closedError } from '../../base/errors.js';
import { yieldIfDue } from '../../base/event_loop.js';
import { feedAll, open, totalOf, using } from '../../engine/load/feed.js';
import { type NativeCacheWriter, unwrap } from '../../engine/native.js';
import type { Engine } from '../../engine/start/engine.js';
import type { CallContext } from '../../worker/calls.js';
import type { NativeSession } from '../native.js';

/** The parts of a session that its cache files need. */
export interface CachedSession {
  readonly engine: Engine;
  readonly native: Pick<NativeSession, 'saveCache' | 'loadCache'>;
  readonly closing: AbortController;
  call<T>(job: () => T): T;
  run<T>(job: () => Promise<T>): Promise<T>;
  computeWaiting(watch: CallContext): Promise<void>;
  held(): Int32Array;
  check(watch: CallContext): void;
  throwIfClosed(): void;
}

export class SessionCaches {
  /** Writers of files that are read piece by piece, by the numbers that the reader assigned. */
  private readonly writers = new Map<number, NativeCacheWriter>();

  constructor(private readonly session: CachedSession) {}

  async save(options: string, watch: CallContext): Promise<Uint8Array> {
    const { session } = this;
    await session.computeWaiting(watch);
    return session.run(() =>
      using(
        session.engine,
        () => this.writer(options),
        (writer) => this.wholeFile(writer, watch),
      ),
    );
  }

  /** The writer keeps the content of this moment, even if the session changes. */
  async open(number: number, options: string, watch: CallContext): Promise<void> {
    const { session } = this;
    await session.computeWaiting(watch);
    session.throwIfClosed();
    this.writers.set(
      number,
      session.call(() => this.writer(options)),
    );
  }

  /** Empty at the end. */
  next(number: number): Uint8Array {
    const writer = this.writers.get(number);
    if (!writer) throw closedError();
    return this.session.call(() => unwrap(writer.take()).slice());
  }

  close(number: number): void {
    if (this.session.engine.usable) this.writers.get(number)?.delete();
    this.writers.delete(number);
  }

  closeAll(): void {
    for (const number of this.writers.keys()) this.close(number);
  }

  /** The session changes only after the whole file was read and checked. Returns the ids that it holds then. */
  load(options: string, { files, signal }: CallContext): Promise<Int32Array> {
    const { session } = this;
    const { engine } = session;
    return session.run(async () => {
      const source = await open(files[0]!, signal);
      try {
        const create = () => unwrap(session.native.loadCache(totalOf(source), options));
        const read = () => abortable(source.read(), session.closing.signal);
        await using(engine, create, async (loader) => {
          await feedAll(engine, loader, { read }, { signal });
          throwIfAborted(signal);
          engine.run(() => unwrap(loader.finish()));
        });
        return session.held();
      } finally {
        await source.close();
      }
    });
  }

  private writer(options: string): NativeCacheWriter {
    return unwrap(this.session.native.saveCache(options));
  }

  private async wholeFile(writer: NativeCacheWriter, watch: CallContext): Promise<Uint8Array> {
    const { session } = this;
    const file = allocate(
      Uint8Array,
      session.call(() => writer.bytes()),
    );
    for (let at = 0; ; ) {
      const piece = session.call(() => unwrap(writer.take()));
      if (piece.length === 0) return file;
      file.set(piece, at);
      at += piece.length;
      await yieldIfDue();
      session.check(watch);
    }
  }
}
