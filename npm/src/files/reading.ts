import { lazyPart } from '../base/lazy_part.js';
import { checkReadOptions, readRules } from '../base/load_options.js';
import { inputError } from '../base/errors.js';
import type { ModelInfo, ModelSource, ReadOptions } from '../base/types.js';
import { typeName } from '../base/values.js';
import type { TensorValues } from './calls.js';

/** What reads files comes with the first, for the sake of pages that never do. */
const running = lazyPart(() => import('./running.js'), 'readFile');

/**
 * What a model file is: format, metadata, configuration, tokenizer, tensors, and the memory that it takes when
 * loaded. Reads headers and tables only where the source can be read in any order. Checks structure and header
 * checksums; data and whole-file checksums are checked by loading and by `validate`.
 * @throws QuintetError FORMAT, UNSUPPORTED, IO, INPUT, ABORTED
 */
export async function inspect(source: ModelSource, options: ReadOptions = {}): Promise<ModelInfo> {
  checkReadOptions(options, 'inspect', readRules);
  return (await running()).readFile('inspect', [], source, options);
}

/** As `inspect`, after every byte was checked: structure, checksums, shapes, finite scales. */
export async function validate(source: ModelSource, options: ReadOptions = {}): Promise<ModelInfo> {
  checkReadOptions(options, 'validate', readRules);
  return (await running()).readFile('validate', [], source, options);
}

/** One tensor as float32, whatever it is stored as. Shape as in the file, elements row-major. */
export async function readTensor(source: ModelSource, name: string, options: ReadOptions = {}): Promise<TensorValues> {
  checkReadOptions(options, 'readTensor', readRules);
  if (typeof name !== 'string') throw inputError('wrong_type', `a tensor's name is a string, not ${typeName(name)}`);
  return (await running()).readFile('readTensor', [name], source, options);
}
