// Checks of arguments other than pictures, and errors that name the picture that failed.

import { inputError, QuintetError } from '../base/errors.js';
import { isA, typeName } from '../base/values.js';

/**
 * A copy of a prepared input and its shape, [channels, height, width]: the caller may change both while the call waits.
 */
export function checkInput(values: unknown, shape: unknown, where: string): { values: Float32Array; shape: number[] } {
  if (!isA(values, 'Float32Array')) {
    throw inputError('wrong_type', `${where}: an input must be a Float32Array, not ${typeName(values)}`);
  }
  if (!Array.isArray(shape) || shape.length !== 3 || !shape.every((size) => Number.isInteger(size) && size > 0)) {
    throw inputError('wrong_type', `${where}: a Float32Array needs its shape: [channels, height, width]`);
  }
  const { length } = values as Float32Array;
  const count = shape.reduce((product: number, size: number) => product * size, 1);
  if (count !== length) {
    throw inputError('mismatch', `${where}: the shape [${shape.join(', ')}] needs ${count} values, not ${length}`);
  }
  return { values: new Float32Array(values as Float32Array), shape: [...shape] };
}

/** A copy: the caller may change the list while the call waits. */
export function checkImages<T>(images: readonly T[]): readonly T[] {
  if (Array.isArray(images)) return [...images];
  throw inputError('wrong_type', `images must be an array, not ${typeName(images)}`);
}

/** Adds the index of the image in a list to an error. */
export function ofImage(index: number, error: unknown): unknown {
  if (!isOfImage(error)) return error;
  const { code, message, reason, cause } = error;
  return new QuintetError(code, `image ${index}: ${message}`, { reason, cause });
}

/** Whether an error may be that of one image, so that others may do better. */
export const isOfImage = (error: unknown): error is QuintetError =>
  error instanceof QuintetError && ['INPUT', 'FORMAT', 'UNSUPPORTED', 'IO', 'MEMORY'].includes(error.code);
