// Long work in steps of some milliseconds at most, so that it can be done at once, or without blocking a page.

import { yieldIfDue } from '../base/event_loop.js';

/** Every `yield` ends a step. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does the work in turns with other events. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldIfDue();
  }
}
