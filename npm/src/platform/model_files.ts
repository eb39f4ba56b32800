// The files that a model consists of, wherever the caller points.

import { files } from '#platform/files';

import { inputError, ioError } from '../base/errors.js';
import type { ModelFolder, ModelSource } from '../base/types.js';
import { isFolder, orderedFiles, type NamedSource } from '../bytes/named_source.js';
import { locationOf } from './sources.js';

/** The files of a model, or of its tokenizer, in the order in which they are read. In Node a path may be a folder's. */
export async function filesOf(source: ModelSource | ModelFolder, part: 'model' | 'tokenizer'): Promise<NamedSource[]> {
  const folder = await folderAt(source);
  return orderedFiles(folder ? await files.readFolder!(folder, part) : source);
}

/** The one file of a model that is no folder; `instead` says what takes those. */
export async function singleFile(source: ModelSource, where: string, instead: string): Promise<NamedSource[]> {
  const message = `${where}: the model must be one file, not a folder: ${instead}`;
  if (isFolder(source)) throw inputError('wrong_type', message);
  if (await folderAt(source)) throw ioError('not_a_file', message);
  return [{ name: '', source }];
}

/** What takes folders where a class reads files that `convert` makes. */
export const convertedTo = (format: string, model: string): string =>
  `convert(folder, { to: '${format}' }) makes one of a ${model}, and TextGenerator takes folders of decoders`;

/** Where the folder lies that a source names. */
async function folderAt(source: ModelSource | ModelFolder): Promise<URL | undefined> {
  const location = isFolder(source) ? undefined : locationOf(source);
  return location?.protocol === 'file:' && (await files.isFolder?.(location)) ? location : undefined;
}
