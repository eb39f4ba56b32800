// The tensors that an image embedder reads of a model's files.

import { assembledFile, type PlacedTensor } from '../safetensors/assembled.js';
import { describesModel } from '../sources/folder.js';
import type { OpenableFile } from '../sources/types.js';
import type { ImageEmbedderHostOptions } from './calls.js';
import { openClipConfig, translatedFiles } from './open_clip.js';
import { translatedTensors } from './open_clip_tensors.js';
import { withTokenizer } from './sentence_pieces.js';

/** Tensors that belong to the other tower alone (modeling_clip.py, modeling_siglip.py). */
const foreign = { image: /^text_(model|projection)\./, text: /^(vision_model|visual_projection)\./, both: /^$/ };

/** transformers' own name of the weights. A folder may have them and those of open_clip. */
const usualWeights = /^model(-\d+-of-\d+)?\.safetensors$/;

/**
 * The files with one in place of those with tensors: it has the tensors of the chosen towers. Several are the shards that
 * an index lists; without one, the loader rejects them. Those of open_clip and of SentencePiece are translated.
 */
export function weightsOf(
  files: readonly OpenableFile[],
  towers: ImageEmbedderHostOptions['towers'],
): readonly OpenableFile[] {
  const weights = files.filter(({ name }) => !describesModel(name));
  const isSplit = files.some(({ name }) => name.endsWith('.index.json'));
  if (weights.length === 0 || (weights.length > 1 && !isSplit)) return withTokenizer(files);
  const isOpenClip =
    files.some(({ name }) => name === openClipConfig) && !weights.some(({ name }) => usualWeights.test(name));
  const translate = isOpenClip ? translatedTensors : (tensors: readonly PlacedTensor[]) => tensors;
  const arrange = (tensors: readonly PlacedTensor[]) =>
    translate(tensors).filter(({ name }) => !foreign[towers].test(name));
  const describing = files.filter(({ name }) => describesModel(name));
  const described = withTokenizer(isOpenClip ? translatedFiles(describing) : describing);
  return [...described, assembledFile(weights, arrange)];
}
