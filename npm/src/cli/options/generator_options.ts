// The options of every command that loads a text generator.
import { type GeneratorLoadOptions, TextGenerator } from '../../index.js';
import { type OptionValues, section } from '../command.js';
import { defaultModel } from '../models/default_models.js';
import { LoadingBar } from '../output/loading_bar.js';
import type { Output } from '../output/output.js';
import { modelSource } from '../output/sources.js';
import { choiceOption, countOption } from './arguments.js';
import { ENGINE_OPTIONS, engineOptions } from './engine_options.js';

export const GENERATOR_OPTIONS = section('Model', {
  model: {
    type: 'string',
    short: 'm',
    value: 'FILE',
    help: 'a .amb, .alt or .gguf file, a Hugging Face folder, or hf:OWNER/NAME[:QUANT]',
  },
  quantize: {
    type: 'string',
    short: 'q',
    value: 'Q',
    help: 'quantize the weights while loading: `none` (default), `int8` or `int4`',
  },
  'kv-cache': {
    type: 'string',
    value: 'T',
    help: 'type of the stored keys and values of past tokens: `f32` (default), `f16`, `int8` or `int4`; `int8/f16`: keys in int8, values in f16',
  },
  'context-length': {
    type: 'string',
    value: 'N',
    help: "size of the context in tokens; default: the model's own limit, or as much of it as fits in memory",
  },
  ...ENGINE_OPTIONS,
});

const KV_TYPES = ['f32', 'f16', 'int8', 'int4'] as const;
export type KvCache = NonNullable<GeneratorLoadOptions['kvCache']>;

/** A type, or KEYS/VALUES. */
export function kvCacheOption(options: OptionValues<typeof GENERATOR_OPTIONS>): KvCache | undefined {
  const given = options['kv-cache'];
  const [first, second] = given?.split(/\/(.*)/s) ?? [];
  if (second === undefined) return choiceOption('kv-cache', given, KV_TYPES);
  return {
    keys: choiceOption('kv-cache', first, KV_TYPES)!,
    values: choiceOption('kv-cache', second, KV_TYPES)!,
  };
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
  const bar = new LoadingBar(stderr);
  try {
    return await TextGenerator.load(modelSource(await generatorPath(options)), {
      ...(quantize === undefined ? {} : { quantize }),
      ...(kvCache === undefined ? {} : { kvCache }),
      ...engineOptions(options),
      ...(contextLength === undefined ? {} : { contextLength }),
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}
