// Arrays of numbers that grow at their end.

import { allocate } from '../base/allocation.js';

type Numbers = Int8Array | Uint8Array | Uint32Array | Float32Array | Float64Array;

/** The array, or a copy with room for `length` elements and half as many again as it had; the new ones are 0. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const Elements = array.constructor as { new (length: number): T; readonly BYTES_PER_ELEMENT: number };
  const larger = allocate(Elements, Math.max(length, Math.ceil(1.5 * array.length)));
  larger.set(array);
  return larger;
}
