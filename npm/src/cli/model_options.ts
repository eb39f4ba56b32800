// The options of every command that loads an embedder.
import { Embedder, type ModelSource } from '../node.js';
import { choiceOption, countOption } from './arguments.js';
import type { OptionTable, OptionValues } from './command.js';
import { defaultModel } from './default_models.js';
import type { Output } from './output.js';
import { ProgressBar } from './progress_bar.js';
import { modelSource } from './sources.js';

export const MODEL_OPTIONS = {
  model: { type: 'string', short: 'm' },
  variant: { type: 'string' },
  'attention-heads': { type: 'string' },
} as const satisfies OptionTable;

export const MODEL_HELP = `  -m, --model FILE        the model; default: the embedder of the package quintet-models
  --variant V             auto, baseline or relaxed: the instructions to use
  --attention-heads N     only for files that do not say it (the flat layout)`;

const VARIANTS = ['auto', 'baseline', 'relaxed'] as const;

export async function modelPath(options: OptionValues<typeof MODEL_OPTIONS>): Promise<string> {
  return options.model ?? (await defaultModel('embedder'));
}

export async function loadEmbedder(
  options: OptionValues<typeof MODEL_OPTIONS>,
  stderr: Output,
  source?: ModelSource,
): Promise<Embedder> {
  const variant = choiceOption('variant', options.variant, VARIANTS);
  const attentionHeads = countOption('attention-heads', options['attention-heads']);
  const bar = new ProgressBar(stderr, 'loading');
  try {
    return await Embedder.load(source ?? modelSource(await modelPath(options)), {
      ...(variant === undefined ? {} : { variant }),
      ...(attentionHeads === undefined ? {} : { attentionHeads }),
      onProgress: ({ loaded, total }) => bar.update(loaded, total),
    });
  } finally {
    bar.clear();
  }
}
