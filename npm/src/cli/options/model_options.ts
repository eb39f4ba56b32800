// The options of every command that loads an embedder.
import { Embedder, type ModelSource } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { defaultModel } from '../models/default_models.js';
import { LoadingBar } from '../output/loading_bar.js';
import type { Output } from '../output/output.js';
import { modelSource } from '../output/sources.js';
import { choiceOption, countOption } from './arguments.js';
import { ENGINE_OPTIONS, engineOptions } from './engine_options.js';

/** An option of embedders and rerankers. */
export const QUANTIZE_OPTION = {
  quantize: {
    type: 'string',
    short: 'q',
    value: 'Q',
    help: 'quantize the matrices of a model while loading: `none` (default) or `int8`',
  },
} as const satisfies OptionTable;

export const MODEL_OPTIONS = {
  model: {
    type: 'string',
    short: 'm',
    value: 'FILE',
    help: 'a folder, a GGUF or .weights file, or hf:OWNER/NAME; default: the embedder of quintet-models',
  },
  'attention-heads': {
    type: 'string',
    value: 'N',
    help: 'number of attention heads; only for files in the flat layout, which do not store it',
  },
  ...QUANTIZE_OPTION,
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

/** For commands that need the tokenizer only. */
export const TOKENIZER_MODEL_HELP =
  'an embedder, a text generator, a tokenizer.json, tokenizer.model or vocab.txt, a Hugging Face folder, or hf:OWNER/NAME; default: ' +
  'the embedder of quintet-models';

export async function modelPath(options: OptionValues<typeof MODEL_OPTIONS>): Promise<string> {
  return options.model ?? (await defaultModel('embedder'));
}

export function quantizeOption(options: OptionValues<typeof QUANTIZE_OPTION>): { quantize?: 'none' | 'int8' } {
  const quantize = choiceOption('quantize', options.quantize, ['none', 'int8']);
  return quantize === undefined ? {} : { quantize };
}

/** Options of the model that change vectors, where they are not the default. */
export function modelSettings(options: OptionValues<typeof MODEL_OPTIONS>): Record<string, string> {
  const { variant, quantize, 'attention-heads': attentionHeads } = options;
  return {
    ...(variant === undefined || variant === 'auto' ? {} : { variant }),
    ...(quantize === undefined || quantize === 'none' ? {} : { quantize }),
    ...(attentionHeads === undefined ? {} : { attentionHeads }),
  };
}

export async function loadEmbedder(
  options: OptionValues<typeof MODEL_OPTIONS>,
  stderr: Output,
  source?: ModelSource,
): Promise<Embedder> {
  const attentionHeads = countOption('attention-heads', options['attention-heads']);
  const quantize = quantizeOption(options);
  const bar = new LoadingBar(stderr);
  try {
    return await Embedder.load(source ?? modelSource(await modelPath(options)), {
      ...engineOptions(options),
      ...quantize,
      ...(attentionHeads === undefined ? {} : { attentionHeads }),
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}
