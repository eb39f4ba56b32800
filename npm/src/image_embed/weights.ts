// The tensors that an image embedder reads of a model's files.

import { assembledFile, type PlacedTensor } from '../safetensors/assembled.js';
import { describesModel } from '../sources/folder.js';
import type { OpenableFile } from '../sources/types.js';
import type { ImageEmbedderHostOptions } from './calls.js';

/** Tensors that belong to the other tower alone (modeling_clip.py, modeling_siglip.py). */
const foreign = { image: /^text_(model|projection)\./, text: /^(vision_model|visual_projection)\./, both: /^$/ };

/**
 * The files with one in place of those with tensors: it has the tensors of the chosen towers. Several are the shards that
 * an index lists; without one, the loader rejects them.
 */
export function weightsOf(
  files: readonly OpenableFile[],
  towers: ImageEmbedderHostOptions['towers'],
): readonly OpenableFile[] {
  const describing = files.filter(({ name }) => describesModel(name));
  const weights = files.filter(({ name }) => !describesModel(name));
  const isSplit = describing.some(({ name }) => name.endsWith('.index.json'));
  if (weights.length === 0 || (weights.length > 1 && !isSplit)) return files;
  const arrange = (tensors: readonly PlacedTensor[]) => tensors.filter(({ name }) => !foreign[towers].test(name));
  return [...describing, assembledFile(weights, { arrange })];
}
