// Owns a native object that runs one job at a time. It is freed when it is closed and no job uses it any more.

import { closedError } from '../base/errors.js';
import type { Engine } from './start/engine.js';
import type { NativeHandle } from './native.js';

interface CancellableHandle extends NativeHandle {
  /** Discards an unfinished job. */
  cancel(): void;
}

export abstract class NativeOwner<Native extends CancellableHandle> {
  protected closed = false;
  /** Resolves when the job that runs is over: after an abort the caller does not wait for that. */
  running: Promise<void> | undefined;

  constructor(
    protected readonly engine: Engine,
    protected readonly native: Native,
  ) {}

  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (!this.running) this.release();
  }

  protected async run<T>(job: () => Promise<T>): Promise<T> {
    this.throwIfClosed();
    let end!: () => void;
    this.running = new Promise((resolve) => (end = resolve));
    try {
      return await job();
    } catch (error) {
      if (this.engine.usable) this.native.cancel();
      this.throwIfClosed();
      throw error;
    } finally {
      this.running = undefined;
      end();
      if (this.closed) this.release();
    }
  }

  throwIfClosed(): void {
    if (this.closed) throw closedError();
  }

  protected call<T>(job: () => T): T {
    return this.engine.run(job);
  }

  /** Frees the object. After a trap the whole instance is discarded, with its memory. */
  protected release(): void {
    if (this.engine.usable) this.native.delete();
  }
}
