// The options of the commands that load an image embedder.
import { ImageEmbedder, type ImageEmbedderLoadOptions } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { LoadingBar } from '../output/loading_bar.js';
import type { Output } from '../output/output.js';
import { requiredOption } from './arguments.js';
import { ENGINE_OPTIONS, engineOptions } from './engine_options.js';
import { QUANTIZE_OPTION, quantizeOption } from './model_options.js';

export const IMAGE_EMBEDDER_OPTIONS = {
  model: {
    type: 'string',
    short: 'm',
    value: 'DIR',
    help: 'a folder of transformers with CLIP, SigLIP or DINO, or hf:OWNER/NAME',
  },
  ...QUANTIZE_OPTION,
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

export async function loadImageEmbedder(
  options: OptionValues<typeof IMAGE_EMBEDDER_OPTIONS>,
  stderr: Output,
  how: Pick<ImageEmbedderLoadOptions, 'towers' | 'worker'>,
): Promise<ImageEmbedder> {
  const model = requiredOption('model', options.model);
  const bar = new LoadingBar(stderr);
  try {
    return await ImageEmbedder.load(model, {
      ...engineOptions(options),
      ...quantizeOption(options),
      ...how,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}
