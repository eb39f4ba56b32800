import { typeName } from './byte_source.js';
import { inputError } from './errors.js';
import type { TensorValues } from './file_functions.js';
import { inThread } from './in_thread_loader.js';
import type { ModelInfo, ModelSource } from './types.js';

/**
 * What a model file is: format, metadata, configuration, tokenizer, tensors, and the memory that it takes when
 * loaded. Reads headers and tables only where the source can be read in any order. Checks structure and header
 * checksums; data and whole-file checksums are checked by loading and by `validate`.
 * @throws QuintetError FORMAT, UNSUPPORTED, IO, INPUT
 */
export async function inspect(source: ModelSource): Promise<ModelInfo> {
  return (await inThread()).inspectModel(source);
}

/** As `inspect`, after every byte was checked: structure, checksums, shapes, finite scales. */
export async function validate(source: ModelSource): Promise<ModelInfo> {
  return (await inThread()).validateModel(source);
}

/** One tensor as float32, whatever it is stored as. Shape as in the file, elements row-major. */
export async function readTensor(source: ModelSource, name: string): Promise<TensorValues> {
  if (typeof name !== 'string') throw inputError('wrong_type', `a tensor's name is a string, not ${typeName(name)}`);
  return (await inThread()).readModelTensor(source, name);
}
