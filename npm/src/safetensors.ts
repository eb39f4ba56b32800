// quintet/safetensors: the container alone, without the engine.

import { readContainer } from './safetensors_container.js';
import { checkOptions } from './safetensors_options.js';
import { tensorOf } from './safetensors_tensor.js';
import type { ReadSafetensorsOptions, SafetensorsContent, SafetensorsFloats } from './safetensors_types.js';
import type { ModelSource } from './types.js';

export { QuintetError, type ErrorCode, type ErrorDetails, type ErrorReason } from './errors.js';
export { openSafetensors } from './safetensors_file.js';
export { fromFloat32, toFloat32 } from './safetensors_floats.js';
export type * from './safetensors_types.js';
export { safetensorsStream, writeSafetensors } from './safetensors_writer.js';
export type { ModelSource } from './types.js';

/**
 * Reads a safetensors file. The official rules are checked strictly: a good header without duplicate keys, and data that
 * cover the file without holes and overlaps. The arrays are copies, which mostly share one buffer.
 * @throws QuintetError FORMAT with `format` 'safetensors', `reason`, `offset` and `tensor`; IO, INPUT, MEMORY, ABORTED
 */
export async function readSafetensors<F extends SafetensorsFloats = 'bits'>(
  source: ModelSource,
  options: ReadSafetensorsOptions<F> = {},
): Promise<SafetensorsContent<F>> {
  checkOptions(options, 'floats', 'signal');
  const { floats = 'bits' as F, signal } = options;
  const { metadata, tensors } = await readContainer(source, signal);
  return {
    tensors: new Map(tensors.map(({ name, dtype, shape, data }) => [name, tensorOf(dtype, shape, data, floats)])),
    metadata,
  };
}
