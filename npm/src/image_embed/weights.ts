// The tensors that an image embedder reads of a model's files.

import { lazyModule } from '../base/lazy_module.js';
import { type Arrange, withOneFile } from '../safetensors/assembled.js';
import type { OpenableFile } from '../sources/types.js';
import type { ImageEmbedderHostOptions } from './calls.js';

/** Loaded with the first model in such files. */
const openClip = lazyModule(() => import('./open_clip.js'), 'translatedFiles');

const openClipConfig = 'open_clip_config.json';

/** Tensors that belong to the other tower alone (modeling_clip.py, modeling_siglip.py). */
const foreign = { image: /^text_(model|projection)\./, text: /^(vision_model|visual_projection)\./, both: /^$/ };

/** transformers' own name of the weights. A folder may have them and those of open_clip. */
const usualWeights = /^model(-\d+-of-\d+)?\.safetensors$/;

/**
 * The files with one in place of those with tensors: it has the tensors of the chosen towers. Those of open_clip are
 * translated.
 */
export async function weightsOf(
  files: readonly OpenableFile[],
  towers: ImageEmbedderHostOptions['towers'],
): Promise<readonly OpenableFile[]> {
  let read = files;
  let arrange: Arrange = (tensors) => tensors;
  const config = files.find(({ name }) => name === openClipConfig);
  if (config && !files.some(({ name }) => usualWeights.test(name))) {
    const { translatedFiles, translatedTensors } = await openClip();
    read = translatedFiles(config, files);
    arrange = translatedTensors;
  }
  return withOneFile(read, (tensors) => arrange(tensors).filter(({ name }) => !foreign[towers].test(name)));
}
