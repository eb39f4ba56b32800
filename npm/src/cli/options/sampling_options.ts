// The options of a generation.
import type { GenerateOptions } from '../../index.js';
import { choiceOption, countOption, numberOption, signedNumberOption } from './arguments.js';
import type { OptionTable, OptionValues } from '../command.js';

export const SAMPLING_OPTIONS = {
  'max-tokens': { type: 'string', short: 'n' },
  temperature: { type: 'string', short: 't' },
  'top-k': { type: 'string' },
  'top-p': { type: 'string' },
  'min-p': { type: 'string' },
  'repetition-penalty': { type: 'string' },
  'frequency-penalty': { type: 'string' },
  'presence-penalty': { type: 'string' },
  seed: { type: 'string' },
  stop: { type: 'string', multiple: true },
  logprobs: { type: 'string' },
  template: { type: 'string' },
} as const satisfies OptionTable;

export const SAMPLING_HELP = `  -n, --max-tokens N      default 256
  -t, --temperature T     0: always the most probable token; default 0.8
  --top-k N               only the N most probable tokens; 0: all; default 40
  --top-p P               only the most probable tokens with probability P together; default 0.95
  --min-p P               only tokens with P of the best one's probability; default 0
  --repetition-penalty P  above 1: tokens that occurred become less probable; default 1
  --frequency-penalty P   off a token's logit for every time that it occurred; default 0
  --presence-penalty P    off the logit of every token that occurred; default 0
  --seed N                the same seed gives the same text; default: another one each time
  --stop TEXT             ends before this text; may be given several times`;

export function samplingOptions(options: OptionValues<typeof SAMPLING_OPTIONS>): GenerateOptions {
  const given: { [K in keyof GenerateOptions]: GenerateOptions[K] | undefined } = {
    maxTokens: countOption('max-tokens', options['max-tokens']),
    temperature: numberOption('temperature', options.temperature),
    topK: countOption('top-k', options['top-k'], 0),
    topP: numberOption('top-p', options['top-p']),
    minP: numberOption('min-p', options['min-p']),
    repetitionPenalty: numberOption('repetition-penalty', options['repetition-penalty']),
    frequencyPenalty: signedNumberOption('frequency-penalty', options['frequency-penalty']),
    presencePenalty: signedNumberOption('presence-penalty', options['presence-penalty']),
    seed: countOption('seed', options.seed, 0),
    stop: options.stop,
    logprobs: countOption('logprobs', options.logprobs, 0),
    chatTemplate: choiceOption('template', options.template, ['llama-2', 'llama-3', 'mistral', 'phi-3', 'chatml']),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
