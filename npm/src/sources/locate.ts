// The one door to the files of a model, however it is named: the files themselves, a path or URL, or a name of the Hub.

import { files } from '#sources/files';

import { inputError, ioError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInput } from '../base/types.js';
import { isFolder, isList, orderedFiles, partsAt } from './folder.js';
import type { HubLoading } from './hub/model.js';
import { locationOf } from './open_source.js';
import type { ModelFile, Reader } from './types.js';

/** Loaded with the first name of the Hub. */
const hub = lazyModule(() => import('./hub/model.js'), 'findHubFiles');

/**
 * The files that `reader` reads, in this order. `hf:OWNER/NAME` names a model of the Hub. The location of a part of a
 * split GGUF model stands for all of them. In Node a path may name a folder. Only the caller's thread locates: a worker
 * gets the files.
 */
export async function locate(source: ModelInput, reader: Reader, options: HubLoading): Promise<ModelFile[]> {
  if (typeof source === 'string' && source.startsWith('hf:'))
    return (await hub()).findHubFiles(source, reader, options);
  const location = isList(source) || isFolder(source) ? undefined : locationOf(source);
  const isFolderThere = location?.protocol === 'file:' && (await files.isFolder?.(location)) === true;
  const { single, kinds } = reader;
  if (single !== undefined) {
    if (isFolder(source)) throw inputError('wrong_type', single);
    if (isFolderThere) throw ioError('not_a_file', single);
  }
  const folder = isFolderThere ? await files.readFolder!(location, reader) : undefined;
  const parts = location && single === undefined ? partsAt(location) : undefined;
  const ordered = orderedFiles(folder ?? parts ?? source);
  return kinds?.includes('none') ? tokenizerFiles(ordered) : ordered;
}

/** The first file of a GGUF model contains the whole tokenizer. */
function tokenizerFiles(ordered: ModelFile[]): ModelFile[] {
  const [first] = ordered;
  const isWhole = first!.name === '' || first!.name.endsWith('.gguf');
  return isWhole ? [{ name: '', source: first!.source }] : ordered;
}
