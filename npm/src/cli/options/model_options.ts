// The options of every command that loads an embedder.
import { Embedder, type ModelSource } from '../../index.js';
import { countOption } from './arguments.js';
import type { OptionTable, OptionValues } from '../command.js';
import { defaultModel } from '../models/default_models.js';
import { ENGINE_HELP, ENGINE_OPTIONS, engineOptions } from './engine_options.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';
import { modelSource } from '../output/sources.js';

export const MODEL_OPTIONS = {
  model: { type: 'string', short: 'm' },
  'attention-heads': { type: 'string' },
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

export const MODEL_HELP = `  -m, --model FILE        the model; default: the embedder of the package quintet-models
  --attention-heads N     only for files that do not say it (the flat layout)
${ENGINE_HELP}`;

export async function modelPath(options: OptionValues<typeof MODEL_OPTIONS>): Promise<string> {
  return options.model ?? (await defaultModel('embedder'));
}

export async function loadEmbedder(
  options: OptionValues<typeof MODEL_OPTIONS>,
  stderr: Output,
  source?: ModelSource,
): Promise<Embedder> {
  const attentionHeads = countOption('attention-heads', options['attention-heads']);
  const bar = new ProgressBar(stderr, 'loading');
  try {
    return await Embedder.load(source ?? modelSource(await modelPath(options)), {
      ...engineOptions(options),
      ...(attentionHeads === undefined ? {} : { attentionHeads }),
      onProgress: ({ loaded, total }) => bar.update(loaded, total),
    });
  } finally {
    bar.clear();
  }
}
