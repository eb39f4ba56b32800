// The options of every command that loads a text generator.
import { TextGenerator, type GeneratorLoadOptions } from '../../index.js';
import { choiceOption, countOption } from './arguments.js';
import type { OptionTable, OptionValues } from '../command.js';
import { defaultModel } from '../models/default_models.js';
import { ENGINE_HELP, ENGINE_OPTIONS, engineOptions } from './engine_options.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';
import { modelSource } from '../output/sources.js';

export const GENERATOR_OPTIONS = {
  model: { type: 'string', short: 'm' },
  quantize: { type: 'string', short: 'q' },
  'kv-cache': { type: 'string' },
  'context-length': { type: 'string' },
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

export const GENERATOR_HELP = `  -m, --model FILE        .amb, .alt or GGUF, or a Hugging Face folder
  -q, --quantize Q        none (default), int8 or int4: while the weights are read
  --kv-cache T            f32 (default), f16, int8 or int4: what past tokens are stored as
  --context-length N      most tokens at once; default: what the model was made for
${ENGINE_HELP}`;

export type KvCache = NonNullable<GeneratorLoadOptions['kvCache']>;

export function kvCacheOption(options: OptionValues<typeof GENERATOR_OPTIONS>): KvCache | undefined {
  return choiceOption('kv-cache', options['kv-cache'], ['f32', 'f16', 'int8', 'int4']);
}

export async function generatorPath(options: OptionValues<typeof GENERATOR_OPTIONS>): Promise<string> {
  return options.model ?? (await defaultModel('storyteller'));
}

export async function loadGenerator(
  options: OptionValues<typeof GENERATOR_OPTIONS>,
  stderr: Output,
  kvCache = kvCacheOption(options),
): Promise<TextGenerator> {
  const quantize = choiceOption('quantize', options.quantize, ['none', 'int8', 'int4']);
  const contextLength = countOption('context-length', options['context-length']);
  const bar = new ProgressBar(stderr, 'loading');
  try {
    return await TextGenerator.load(modelSource(await generatorPath(options)), {
      ...(quantize === undefined ? {} : { quantize }),
      ...(kvCache === undefined ? {} : { kvCache }),
      ...engineOptions(options),
      ...(contextLength === undefined ? {} : { contextLength }),
      onProgress: ({ loaded, total }) => bar.update(loaded, total),
    });
  } finally {
    bar.clear();
  }
}
