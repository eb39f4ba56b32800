// The options of the reranker of a command.
import { Reranker } from '../../index.js';
import type { OptionValues } from '../command.js';
import { LoadingBar } from '../output/loading_bar.js';
import type { Output } from '../output/output.js';
import { modelSource } from '../output/sources.js';
import { type ENGINE_OPTIONS, engineOptions } from './engine_options.js';
import { type QUANTIZE_OPTION, quantizeOption } from './model_options.js';

export async function loadReranker(
  model: string,
  options: OptionValues<typeof ENGINE_OPTIONS & typeof QUANTIZE_OPTION>,
  stderr: Output,
): Promise<Reranker> {
  const quantize = quantizeOption(options);
  const bar = new LoadingBar(stderr);
  try {
    return await Reranker.load(modelSource(model), {
      ...engineOptions(options),
      ...quantize,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}
