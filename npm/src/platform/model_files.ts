// The files of a model.

import { files } from '#platform/files';

import { inputError, ioError } from '../base/errors.js';
import type { ModelFolder, ModelSource } from '../base/types.js';
import { isFolder, orderedFiles, type NamedSource } from '../bytes/named_source.js';
import { locationOf } from './sources.js';

/** The files of a model or its tokenizer, in the order in which they are read. In Node a path may name a folder. */
export async function filesOf(source: ModelSource | ModelFolder, part: 'model' | 'tokenizer'): Promise<NamedSource[]> {
  const folder = await folderAt(source);
  return orderedFiles(folder ? await files.readFolder!(folder, part) : source);
}

/** The file of a model that must not be a folder. `instead` says what to do with a folder. */
export async function singleFile(source: ModelSource, where: string, instead: string): Promise<NamedSource[]> {
  const message = `${where}: the model must be a file, not a folder: ${instead}`;
  if (isFolder(source)) throw inputError('wrong_type', message);
  if (await folderAt(source)) throw ioError('not_a_file', message);
  return [{ name: '', source }];
}

/** The hint for folders in classes that only read files written by `convert`. */
export const convertedTo = (format: string, model: string): string =>
  `convert(folder, { to: '${format}' }) converts a ${model} to one, and TextGenerator loads folders of decoders`;

/** The location of a source that is a folder. */
async function folderAt(source: ModelSource | ModelFolder): Promise<URL | undefined> {
  const location = isFolder(source) ? undefined : locationOf(source);
  return location?.protocol === 'file:' && (await files.isFolder?.(location)) ? location : undefined;
}
