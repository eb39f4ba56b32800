// The options of the reranker of a command.
import { Reranker } from '../../index.js';
import type { OptionValues } from '../command.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';
import { modelSource } from '../output/sources.js';
import { engineOptions, type ENGINE_OPTIONS } from './engine_options.js';

export async function loadReranker(
  model: string,
  options: OptionValues<typeof ENGINE_OPTIONS>,
  stderr: Output,
): Promise<Reranker> {
  const bar = new ProgressBar(stderr, 'loading');
  try {
    return await Reranker.load(modelSource(model), {
      ...engineOptions(options),
      onProgress: ({ loaded, total }) => bar.update(loaded, total),
    });
  } finally {
    bar.clear();
  }
}
