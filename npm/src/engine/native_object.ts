// Objects in WebAssembly memory: who owns one, and how texts get there.

import { closedError, memoryError } from '../base/errors.js';
import type { NativeHandle } from './native.js';
import type { Engine } from './start/engine.js';

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

const utf8 = new TextEncoder();

/** Receives a text through a buffer in WebAssembly memory. */
export interface TextTaker {
  textWindow(bytes: number): Uint8Array | null;
}

/** Copies a text as UTF-8 into WebAssembly memory and calls `job` with its length. Lone surrogates become U+FFFD. */
export function withText<T>(engine: Engine, taker: TextTaker, text: string, job: (bytes: number) => T): T {
  // Not encoded directly into the buffer: browsers do not allow that for shared memory.
  const encoded = utf8.encode(text);
  return engine.run(() => {
    const window = taker.textWindow(encoded.length);
    if (!window) throw memoryError(encoded.length);
    window.set(encoded);
    return job(encoded.length);
  });
}
