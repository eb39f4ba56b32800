// Models in the layout of other libraries than Sentence Transformers, as folders of it. Loaded with the first of them.

import { inReadingOrder } from '../../sources/folder.js';
import type { ModelFile } from '../../sources/types.js';
import type { VectorKind } from '../options.js';
import { headFiles } from './bge_m3.js';
import { colbertFiles } from './colbert.js';
import { modulesFile } from './files.js';

export { describeHead, headFile, tokenWeights } from './bge_m3.js';

/**
 * The files that the engine gets, in the order in which it reads them. `other`: that of the head, or ColBERT's
 * settings.
 */
export async function adaptedFiles(
  files: readonly ModelFile[],
  other: string,
  vectors: VectorKind,
  signal: AbortSignal | undefined,
): Promise<ModelFile[]> {
  if (vectors !== 'dense') return (await headFiles(files, vectors, signal)).sort(inReadingOrder);
  // Some folders have both layouts.
  if (files.some(({ name }) => name === modulesFile)) return files.filter(({ name }) => name !== other);
  return (await colbertFiles(files, other, signal)).sort(inReadingOrder);
}
