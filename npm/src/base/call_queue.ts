// Calls on one object run one after another, in the order in which they were made.

import { abortable, throwIfAborted } from './abort.js';
import { closedError } from './errors.js';

const ignore = () => {};

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Called once another call waits behind this one, which so hears that it holds others up. */
  onWaiting?: (() => void) | undefined;
}

export class CallQueue {
  private tail: Promise<unknown> = Promise.resolve();
  /** Calls that run or wait, in their order. */
  private readonly calls = new Map<(error: Error) => void, CallOptions>();
  private closed = false;

  /**
   * Runs `job` after all that came before. An abort or close() answers at once, also while the job still winds
   * down.
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
      // Without what it gave, which may be large.
      this.tail = turn.then(ignore, ignore);
      const answered = <A>(answer: (value: A) => void) => (value: A) => {
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

  /** Ends all calls, present and future, with CLOSED. */
  close(): void {
    this.closed = true;
    for (const reject of this.calls.keys()) reject(closedError());
  }
}
