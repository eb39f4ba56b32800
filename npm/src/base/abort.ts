// Errors of AbortSignals, and waiting that ends when a signal fires.

import { QuintetError } from './errors.js';

export function abortError(signal: AbortSignal): QuintetError {
  return new QuintetError('ABORTED', 'aborted', { reason: 'aborted', cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** The result of `promise`, or an ABORTED error as soon as the signal fires. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  // The promise may still reject after an abort, when nobody handles it any more.
  promise.catch(() => {});
  throwIfAborted(signal);
  let stop!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
