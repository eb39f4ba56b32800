// Signals end the program, unless something runs that they end instead.

export type EndingSignal = 'SIGINT' | 'SIGTERM';

let running: { interrupt: () => void; signals: readonly EndingSignal[] } | undefined;

/** While the job runs, these signals call `interrupt`, once: by default Ctrl-C alone. */
export async function interruptible<T>(
  interrupt: () => void,
  job: () => Promise<T>,
  signals: readonly EndingSignal[] = ['SIGINT'],
): Promise<T> {
  running = { interrupt, signals };
  try {
    return await job();
  } finally {
    running = undefined;
  }
}

/** Whether there was something to end. */
export function interrupted(signal: string): boolean {
  const ended = running;
  if (!ended?.signals.some((each) => each === signal)) return false;
  running = undefined;
  ended.interrupt();
  return true;
}
