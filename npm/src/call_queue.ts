// Calls on one object run one after another, in the order in which they were made.

import { abortable, throwIfAborted } from './abort.js';
import { closedError } from './errors.js';

const ignore = () => {};

export class CallQueue {
  private tail: Promise<unknown> = Promise.resolve();
  private readonly waiting = new Set<(error: Error) => void>();
  private closed = false;

  /**
   * Runs `job` after all that came before. An abort or close() answers at once, also while the job still winds
   * down.
   */
  run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.closed) throw closedError();
      throwIfAborted(signal);
      this.waiting.add(reject);
      const turn = this.tail.then(() => {
        throwIfAborted(signal);
        if (this.closed) throw closedError();
        return job();
      });
      // Without what it gave, which may be large.
      this.tail = turn.then(ignore, ignore);
      const answered = <A>(answer: (value: A) => void) => (value: A) => {
        this.waiting.delete(reject);
        answer(value);
      };
      abortable(turn, signal).then(answered(resolve), answered(reject));
    });
  }

  /** Whether no call runs or waits. */
  get idle(): boolean {
    return this.waiting.size === 0;
  }

  /** Ends all calls, present and future, with CLOSED. */
  close(): void {
    this.closed = true;
    for (const reject of this.waiting) reject(closedError());
  }
}
