// The tensors of a saved search index: finds them and checks what they are.

import { type ErrorReason, QuintetError } from '../base/errors.js';
import type { ContainedTensor, Container } from '../safetensors/container.js';

export function tensorNamed({ tensors }: Container, name: string, dtype: string, shape?: number[]): ContainedTensor {
  return checkedTensor(
    name,
    tensors.find((candidate) => candidate.name === name),
    dtype,
    shape,
  );
}

export function checkedTensor<T extends { dtype: string; shape: readonly number[] }>(
  name: string,
  tensor: T | undefined,
  dtype: string,
  shape?: readonly number[],
): T {
  if (!tensor) throw broken('missing', 'the tensor is missing', name);
  if (tensor.dtype !== dtype) throw broken('mismatch', `its type is ${tensor.dtype}, not ${dtype}`, name);
  if (shape && String(tensor.shape) !== String(shape)) {
    throw broken('mismatch', `its shape is [${tensor.shape}], not [${shape}]`, name);
  }
  return tensor;
}

export function broken(reason: ErrorReason, what: string, tensor?: string): QuintetError {
  const where = tensor === undefined ? '' : `tensor '${tensor}': `;
  return new QuintetError('FORMAT', `safetensors: ${where}${what}`, { reason, format: 'safetensors', tensor });
}
