// AbortSignals: one error for all, and waiting that ends when the signal fires.

import { QuintetError } from './errors.js';

export function abortError(signal: AbortSignal): QuintetError {
  return new QuintetError('ABORTED', 'aborted', { reason: 'aborted', cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** What `promise` gives, or an ABORTED error as soon as the signal fires. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  // What is waited for may still fail later; that is nobody's concern then.
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
