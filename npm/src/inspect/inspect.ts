import { lazyModule } from '../base/lazy_module.js';
import type { ModelInfo, ModelSource, ReadOptions } from '../base/types.js';
import type { InspectOptions, TensorValues } from './options.js';

/** Loaded with the first file, so that pages that read none do not download it. */
const client = lazyModule(() => import('./client.js'), 'readFile');

/**
 * Describes a model file: format, metadata, configuration, tokenizer, tensors, and the memory that it needs when
 * loaded. If the source can be read in any order, only headers and tables are read. Checks the structure and header
 * checksums; `validate` and loading also check the data and whole-file checksums.
 * @throws QuintetError FORMAT, UNSUPPORTED, IO, INPUT, ABORTED
 */
export async function inspect(source: ModelSource, options?: InspectOptions): Promise<ModelInfo> {
  return (await client()).inspectFile(source, options);
}

/**
 * Like `inspect`, but checks every byte: structure, checksums, shapes, finite scales.
 * @throws QuintetError FORMAT, UNSUPPORTED, IO, INPUT, ABORTED
 */
export async function validate(source: ModelSource, options?: ReadOptions): Promise<ModelInfo> {
  return (await client()).readFile('validate', [], source, options);
}

/**
 * Reads one tensor of any type as float32. The shape is as in the file, the elements are row-major.
 * @throws QuintetError INPUT if there is no such tensor; FORMAT, UNSUPPORTED, IO, MEMORY, ABORTED
 */
export async function readTensor(source: ModelSource, name: string, options?: ReadOptions): Promise<TensorValues> {
  return (await client()).readFile('readTensor', [name], source, options);
}
