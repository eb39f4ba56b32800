// Ctrl-C ends the program, unless something runs that it ends instead.

let running: (() => void) | undefined;

/** While the job runs, Ctrl-C calls `interrupt`. */
export async function interruptible<T>(interrupt: () => void, job: () => Promise<T>): Promise<T> {
  running = interrupt;
  try {
    return await job();
  } finally {
    running = undefined;
  }
}

/** Whether there was something to end. */
export function interrupted(): boolean {
  const interrupt = running;
  running = undefined;
  interrupt?.();
  return interrupt !== undefined;
}
