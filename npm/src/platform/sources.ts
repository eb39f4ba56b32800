// Sources of models, wherever the caller points, as this platform reads them.

import { files } from '#platform/files';

import { unsupported } from '../base/errors.js';
import type { ModelFolder, ModelSource } from '../base/types.js';
import type { ByteSource } from '../bytes/byte_source.js';
import { isFolder, orderedFiles, type NamedSource } from '../bytes/named_source.js';
import { locationWith, openSourceWith, type OpenOptions } from '../bytes/open_source.js';

/** Opens a source for reading once. The caller closes it. */
export const openSource = (source: ModelSource, options: OpenOptions = {}): Promise<ByteSource> =>
  openSourceWith(files, source, options);

/** The absolute URL of a source that is a string or a URL. */
export const locationOf = (source: ModelSource): URL | undefined => locationWith(files, source);

/** The files of a model, or of its tokenizer, in the order in which they are read. In Node a path may be a folder's. */
export async function filesOf(source: ModelSource | ModelFolder, part: 'model' | 'tokenizer'): Promise<NamedSource[]> {
  const folder = await folderAt(source);
  return orderedFiles(folder ? await files.readFolder!(folder, part) : source);
}

/** The one file of a model that is no folder; `instead` says what takes those. */
export async function singleFile(source: ModelSource, where: string, instead: string): Promise<NamedSource[]> {
  const isOne = isFolder(source) || (await folderAt(source));
  if (isOne) throw unsupported(`${where}: the model must be one file, not a folder: ${instead}`);
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
