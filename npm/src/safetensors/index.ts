// quintet/safetensors: the container alone, without the engine.

import { readContainer } from './container.js';
import { checkOptions, signal } from '../base/options.js';
import { floatsRule, tensorOf } from './tensor.js';
import type { ReadSafetensorsOptions, SafetensorsContent, SafetensorsFloats } from './types.js';
import type { ModelSource } from '../base/types.js';

export { QuintetError, type ErrorCode, type ErrorDetails, type ErrorReason } from '../base/errors.js';
export { openSafetensors } from './file.js';
export { fromFloat32, toFloat32 } from './floats.js';
export type * from './types.js';
export { safetensorsStream, writeSafetensors } from './writer.js';
export type { ModelSource } from '../base/types.js';

/**
 * Reads a safetensors file. The official rules are checked strictly: a good header without duplicate keys, and data that
 * cover the file without holes and overlaps. The arrays are copies, which mostly share one buffer.
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
