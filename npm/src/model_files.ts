// The files that a model consists of, wherever the caller points.

import { platform } from 'quintet-platform';

import { isFolder, orderedFiles, type NamedSource } from './model_folder.js';
import { locationOf } from './source.js';
import type { ModelFolder, ModelSource } from './types.js';

/** In the order in which they are read. In Node a path may be that of a folder. */
export async function filesOf(source: ModelSource | ModelFolder): Promise<NamedSource[]> {
  if (isFolder(source)) return orderedFiles(source);
  const location = locationOf(source);
  const folder = location?.protocol === 'file:' ? await platform.readFolder?.(location) : undefined;
  return orderedFiles(folder ?? source);
}
