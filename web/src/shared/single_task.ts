// One task of a page at a time, such as a load or an answer, that the visitor can stop.

import { showProblem } from './problem.js';

export class SingleTask {
  private controller: AbortController | undefined;
  /** Resolves when the last task has ended. */
  private ended: Promise<void> | undefined;

  /** `problem`: where errors are shown. `onChange` is called when a task begins and when it has ended. */
  constructor(
    private readonly problem: HTMLElement,
    private readonly onChange: () => void,
  ) {}

  get isRunning(): boolean {
    return this.controller !== undefined;
  }

  stop(): void {
    this.controller?.abort();
  }

  /**
   * Stops the running task and waits for it: it may not change the page once the next one has begun.
   * `what`: the heading of an error; `again`: offered with it.
   */
  run(what: string, task: (signal: AbortSignal) => Promise<void>, again?: () => void): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.controller = controller;
    const ended = this.start(controller, this.ended, what, task, again);
    this.ended = ended;
    return ended;
  }

  private async start(
    controller: AbortController,
    previous: Promise<void> | undefined,
    what: string,
    task: (signal: AbortSignal) => Promise<void>,
    again?: () => void,
  ): Promise<void> {
    this.problem.replaceChildren();
    this.onChange();
    try {
      await previous;
      controller.signal.throwIfAborted();
      await task(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) showProblem(this.problem, what, error, again ? { again } : {});
    } finally {
      if (this.controller === controller) this.controller = undefined;
      this.onChange();
    }
  }
}
