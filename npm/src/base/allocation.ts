// Allocations whose size comes from outside.

import { memoryError } from './errors.js';

type TypedArrayClass<T> = { new (length: number): T; readonly BYTES_PER_ELEMENT: number };

/** A new array of so many elements; MEMORY where there is no room, for which engines have words of their own. */
export function allocate<T>(Elements: TypedArrayClass<T>, length: number): T {
  try {
    return new Elements(length);
  } catch {
    throw memoryError(length * Elements.BYTES_PER_ELEMENT);
  }
}
