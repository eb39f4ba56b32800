// Waiting before another attempt.

import { abortable } from './abort.js';

/** Resolves after some milliseconds, or throws ABORTED as soon as the signal fires. */
export async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer!: ReturnType<typeof setTimeout>;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await abortable(over, signal).finally(() => clearTimeout(timer));
}
