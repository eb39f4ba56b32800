// A native object that runs one job at a time, and is freed when it is closed and no job uses it any more.

import type { Engine } from './engine.js';
import { closedError } from '../base/errors.js';
import type { NativeHandle } from './native.js';

interface CancellableHandle extends NativeHandle {
  /** Forgets what a job has begun. */
  cancel(): void;
}

export abstract class NativeOwner<Native extends CancellableHandle> {
  protected closed = false;
  private running = false;

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
    this.running = true;
    try {
      return await job();
    } catch (error) {
      if (this.engine.usable) this.native.cancel();
      this.throwIfClosed();
      throw error;
    } finally {
      this.running = false;
      if (this.closed) this.release();
    }
  }

  protected throwIfClosed(): void {
    if (this.closed) throw closedError();
  }

  protected call<T>(job: () => T): T {
    return this.engine.run(job);
  }

  /** The memory of an engine that trapped is gone as a whole. */
  protected release(): void {
    if (this.engine.usable) this.native.delete();
  }
}
