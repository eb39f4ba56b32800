// The sessions of a model compute together: each step advances the current pass over the weights for all of them.

import { nextTurn, yieldIfDue } from '../../base/event_loop.js';

export class SharedSteps {
  /** Number of sessions with a call in progress. */
  active = 0;
  private next: Promise<void> | undefined;

  constructor(private readonly compute: () => void) {}

  /** Resolves after the next step, which computes for all that wait for it. */
  step(): Promise<void> {
    return (this.next ??= this.run());
  }

  private async run(): Promise<void> {
    // Lets the others run: those that choose a token now join the next pass.
    await (this.active > 1 ? nextTurn() : yieldIfDue());
    this.next = undefined;
    this.compute();
  }
}
