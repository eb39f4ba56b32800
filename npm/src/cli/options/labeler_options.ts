// The options of the classifiers of texts and of tokens of a command.
import type { LabelLoadOptions, ModelInput } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { LoadingBar } from '../output/loading_bar.js';
import type { Output } from '../output/output.js';
import { modelSource } from '../output/sources.js';
import { requiredOption } from './arguments.js';
import { ENGINE_OPTIONS, engineOptions } from './engine_options.js';
import { QUANTIZE_OPTION, quantizeOption } from './model_options.js';

export const LABELER_OPTIONS = {
  model: {
    type: 'string',
    short: 'm',
    value: 'FILE',
    help: 'a Hugging Face folder of a classifier or hf:OWNER/NAME',
  },
  'max-length': {
    type: 'string',
    value: 'N',
    help: "maximum number of tokens that are read at a time; default: the model's limit",
  },
  ...QUANTIZE_OPTION,
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

/** TextClassifier or TokenClassifier. */
interface LabelerClass<Labeler> {
  load(source: ModelInput, options: LabelLoadOptions): Promise<Labeler>;
}

export async function loadLabeler<Labeler>(
  labelerClass: LabelerClass<Labeler>,
  options: OptionValues<typeof LABELER_OPTIONS>,
  stderr: Output,
): Promise<Labeler> {
  const source = modelSource(requiredOption('model', options.model));
  const quantize = quantizeOption(options);
  const bar = new LoadingBar(stderr);
  try {
    return await labelerClass.load(source, {
      ...engineOptions(options),
      ...quantize,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}
