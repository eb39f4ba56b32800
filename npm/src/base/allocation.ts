// Allocations whose size comes from a file or a caller.

import { memoryError } from './errors.js';

type TypedArrayClass<T> = { new (length: number): T; readonly BYTES_PER_ELEMENT: number };

/** A new typed array. Throws MEMORY where the browser or Node would throw a RangeError. */
export function allocate<T>(Elements: TypedArrayClass<T>, length: number): T {
  try {
    return new Elements(length);
  } catch {
    throw memoryError(length * Elements.BYTES_PER_ELEMENT);
  }
}
