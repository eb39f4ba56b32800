// quintet/safetensors: only the file format, without the engine.

import type { ModelSource } from '../base/types.js';
import { checkOptions, signal } from '../base/values.js';
import { readContainer } from './container.js';
import { floatsRule, tensorOf } from './tensor.js';
import type { ReadSafetensorsOptions, SafetensorsContent, SafetensorsFloats } from './types.js';

export { type ErrorCode, type ErrorDetails, type ErrorReason, QuintetError } from '../base/errors.js';
export type { ModelSource } from '../base/types.js';
export { openSafetensors } from './file.js';
export { fromFloat32, toFloat32 } from './floats.js';
export type * from './types.js';
export { safetensorsStream, writeSafetensors } from './writer.js';

/**
 * Reads a safetensors file. The official rules are checked strictly: a valid header without duplicate keys, and data
 * that covers the file without gaps or overlaps. The arrays are copies; most of them share one buffer.
 * @throws QuintetError FORMAT with `format` 'safetensors', `reason`, `offset` and `tensor`; IO, INPUT, MEMORY, ABORTED
 */
export async function readSafetensors<F extends SafetensorsFloats = 'bits'>(
  source: ModelSource,
  options: ReadSafetensorsOptions<F> = {},
): Promise<SafetensorsContent<F>> {
  checkOptions(options, { floats: floatsRule, signal }, 'readSafetensors');
  const { floats = 'bits' as F } = options;
  const { metadata, tensors } = await readContainer(source, options.signal);
  return {
    tensors: new Map(tensors.map(({ name, dtype, shape, data }) => [name, tensorOf(dtype, shape, data, floats)])),
    metadata,
  };
}
