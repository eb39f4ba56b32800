// The options that make generation faster and leave the text unchanged.
import type { GenerateOptions, TextGenerator } from '../../index.js';
import { type OptionValues, section } from '../command.js';
import type { Output } from '../output/output.js';
import { choiceOption } from './arguments.js';
import { type GENERATOR_OPTIONS, loadGenerator } from './generator_options.js';

export const GUESSING_OPTIONS = section('Speed', {
  draft: {
    type: 'string',
    value: 'FILE',
    help: 'a smaller model with the same tokens, which guesses the next ones; the text stays the same',
  },
  'prompt-lookup': {
    type: 'string',
    value: 'WHEN',
    help: 'guess tokens from the text so far and the form: `auto` (default: where it is faster), `on` or `off`; the text stays the same',
  },
});

type GuessingOptions = OptionValues<typeof GUESSING_OPTIONS>;

export function lookupOption(options: GuessingOptions): Pick<GenerateOptions, 'promptLookup'> {
  const when = choiceOption('prompt-lookup', options['prompt-lookup'], ['auto', 'on', 'off']);
  return when === undefined ? {} : { promptLookup: when === 'auto' ? when : when === 'on' };
}

/** Loaded as the model is, but whole and with its own context. */
export async function loadDraft(
  options: GuessingOptions & OptionValues<typeof GENERATOR_OPTIONS>,
  stderr: Output,
): Promise<TextGenerator | undefined> {
  if (options.draft === undefined) return undefined;
  const own = { model: options.draft, quantize: undefined, 'context-length': undefined };
  return loadGenerator({ ...options, ...own }, stderr);
}
