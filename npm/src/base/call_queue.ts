// Runs the calls on one object one at a time, in the order in which they were made.

import { abortable, throwIfAborted } from './abort.js';
import { closedError } from './errors.js';

const ignore = () => {};

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Called when another call starts to wait for this one. */
  onWaiting?: (() => void) | undefined;
}

export class CallQueue {
  /** Kept alive while calls are pending, so that a caller who awaits a result need not hold on to it. */
  declare owner?: object;
  private tail: Promise<unknown> = Promise.resolve();
  /** Running and waiting calls, in order. */
  private readonly calls = new Map<(error: Error) => void, CallOptions>();
  closed = false;

  /**
   * Runs `job` after all earlier calls. An abort or close() rejects at once, even while the job is still winding down.
   */
  run<T>(job: () => Promise<T>, options: CallOptions = {}): Promise<T> {
    const { signal } = options;
    return new Promise<T>((resolve, reject) => {
      if (this.closed) throw closedError();
      throwIfAborted(signal);
      for (const { onWaiting } of this.calls.values()) onWaiting?.();
      this.calls.set(reject, options);
      const turn = this.tail.then(() => {
        throwIfAborted(signal);
        if (this.closed) throw closedError();
        return job();
      });
      // Drops the result, which may be large.
      this.tail = turn.then(ignore, ignore);
      const answered =
        <A>(answer: (value: A) => void) =>
        (value: A) => {
          this.calls.delete(reject);
          answer(value);
        };
      abortable(turn, signal).then(answered(resolve), answered(reject));
    });
  }

  /** Whether no call runs or waits. */
  get idle(): boolean {
    return this.calls.size === 0;
  }

  /** Rejects all present and future calls with CLOSED. */
  close(): void {
    this.closed = true;
    for (const reject of this.calls.keys()) reject(closedError());
  }
}
