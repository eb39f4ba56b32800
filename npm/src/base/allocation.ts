// Allocations whose size comes from outside: engines have no word of their own for memory that is not to be had.

import { memoryError, QuintetError } from './errors.js';

/** A new array of so many elements. */
export function allocate<T>(Elements: { new (length: number): T; readonly BYTES_PER_ELEMENT: number }, length: number): T {
  try {
    return new Elements(length);
  } catch {
    throw memoryError(length * Elements.BYTES_PER_ELEMENT);
  }
}

/** What a job gives that allocates memory; `what` says for what. */
export function allocating<T>(what: string, job: () => T): T {
  try {
    return job();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new QuintetError('MEMORY', `no memory for ${what}`, { reason: 'out_of_memory', cause });
  }
}
