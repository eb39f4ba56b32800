// The files of a model.

import { files } from '#sources/files';

import { inputError, ioError } from '../base/errors.js';
import type { ModelInput, ModelSource } from '../base/types.js';
import { isFolder, isList, orderedFiles, type NamedSource } from './bytes/named_source.js';
import { partsAt } from './bytes/split_files.js';
import type { ModelPart } from './files.js';
import { locationOf } from './open_source.js';

/**
 * The files of a model or its tokenizer, in the order in which they are read. The location of a part of a split GGUF
 * model stands for all of them. In Node a path may name a folder.
 */
export async function filesOf(source: ModelInput, part: ModelPart): Promise<NamedSource[]> {
  const location = isList(source) || isFolder(source) ? undefined : locationOf(source);
  const folder = location && (await isFolderAt(location)) ? await files.readFolder!(location, part) : undefined;
  const parts = location && partsAt(location);
  const ordered = orderedFiles(folder ?? parts ?? source);
  return part === 'tokenizer' ? describingFiles(ordered) : ordered;
}

/** The first file of a GGUF model contains the whole tokenizer. */
function describingFiles(ordered: NamedSource[]): NamedSource[] {
  const [first] = ordered;
  const isWhole = first!.name === '' || first!.name.endsWith('.gguf');
  return isWhole ? [{ name: '', source: first!.source }] : ordered;
}

/** The file of a model that must not be a folder. `instead` says what to do with a folder. */
export async function singleFile(source: ModelSource, where: string, instead: string): Promise<NamedSource[]> {
  const message = `${where}: the model must be a file, not a folder: ${instead}`;
  if (isFolder(source)) throw inputError('wrong_type', message);
  const location = locationOf(source);
  if (location && (await isFolderAt(location))) throw ioError('not_a_file', message);
  return [{ name: '', source }];
}

const isFolderAt = async (location: URL): Promise<boolean> =>
  location.protocol === 'file:' && (await files.isFolder?.(location)) === true;
