// The options of a generation.
import type { GenerateOptions } from '../../index.js';
import { type OptionValues, section } from '../command.js';
import { UsageError } from '../ending.js';
import { countOption, numberOption, signedNumberOption } from './arguments.js';

export const SAMPLING_OPTIONS = section('Sampling', {
  'max-tokens': { type: 'string', short: 'n', value: 'N', help: 'maximum number of tokens to generate; default 256' },
  temp: {
    type: 'string',
    value: 'T',
    help: 'temperature; 0 always picks the most probable token; default 0.8',
  },
  temperature: { type: 'string', value: 'T', help: 'the same as --temp' },
  'top-k': { type: 'string', value: 'N', help: 'sample from the N most probable tokens; 0: from all; default 40' },
  'top-p': {
    type: 'string',
    value: 'P',
    help: 'sample from the most probable tokens whose probabilities add up to P; default 0.95',
  },
  'min-p': {
    type: 'string',
    value: 'P',
    help: 'leave out tokens less than P times as probable as the best one; default 0',
  },
  'repetition-penalty': {
    type: 'string',
    value: 'P',
    help: 'above 1 makes tokens that have occurred less probable; default 1',
  },
  'frequency-penalty': {
    type: 'string',
    value: 'P',
    help: "subtract P from a token's logit for each time it has occurred; default 0",
  },
  'presence-penalty': {
    type: 'string',
    value: 'P',
    help: 'subtract P from the logit of every token that has occurred; default 0',
  },
  'repeat-last-n': {
    type: 'string',
    value: 'N',
    help: 'number of tokens that the three penalties look back at; default: all',
  },
  'dry-multiplier': {
    type: 'string',
    value: 'P',
    help: 'DRY: above 0 makes tokens that would continue a repeated sequence less probable; default 0',
  },
  'dry-base': { type: 'string', value: 'P', help: 'the penalty grows by this factor with each token; default 1.75' },
  'dry-allowed-length': { type: 'string', value: 'N', help: 'sequences shorter than N may be repeated; default 2' },
  'dry-penalty-last-n': { type: 'string', value: 'N', help: 'number of tokens that DRY looks back at; default: all' },
  'dry-sequence-breaker': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'repeated sequences end at this text; may be given more than once; default: a newline, :, " and *',
  },
  'xtc-probability': {
    type: 'string',
    value: 'P',
    help: 'XTC: probability of leaving out the most probable tokens; default 0',
  },
  'xtc-threshold': {
    type: 'string',
    value: 'P',
    help: 'XTC: only tokens with at least this probability are left out, never the last of them; default 0.1',
  },
  seed: { type: 'string', value: 'N', help: 'the same seed gives the same text; default: random' },
  stop: { type: 'string', multiple: true, value: 'TEXT', help: 'stop before this text; may be given more than once' },
  'reasoning-budget': {
    type: 'string',
    value: 'N',
    help: 'in a conversation: the model thinks for at most N tokens; default: no limit',
  },
});

export function samplingOptions(
  options: OptionValues<typeof SAMPLING_OPTIONS> & { logprobs?: string | undefined; template?: string | undefined },
): GenerateOptions {
  const given: { [K in keyof GenerateOptions]: GenerateOptions[K] | undefined } = {
    maxTokens: countOption('max-tokens', options['max-tokens']),
    temperature: temperature(options),
    topK: countOption('top-k', options['top-k'], 0),
    topP: numberOption('top-p', options['top-p']),
    minP: numberOption('min-p', options['min-p']),
    repetitionPenalty: numberOption('repetition-penalty', options['repetition-penalty']),
    frequencyPenalty: signedNumberOption('frequency-penalty', options['frequency-penalty']),
    presencePenalty: signedNumberOption('presence-penalty', options['presence-penalty']),
    repeatLastN: countOption('repeat-last-n', options['repeat-last-n'], 0),
    dryMultiplier: numberOption('dry-multiplier', options['dry-multiplier']),
    dryBase: numberOption('dry-base', options['dry-base']),
    dryAllowedLength: countOption('dry-allowed-length', options['dry-allowed-length'], 0),
    dryPenaltyLastN: countOption('dry-penalty-last-n', options['dry-penalty-last-n'], 0),
    drySequenceBreakers: options['dry-sequence-breaker'],
    xtcProbability: numberOption('xtc-probability', options['xtc-probability']),
    xtcThreshold: numberOption('xtc-threshold', options['xtc-threshold']),
    reasoningBudget: countOption('reasoning-budget', options['reasoning-budget'], 0),
    seed: countOption('seed', options.seed, 0),
    stop: options.stop,
    logprobs: countOption('logprobs', options.logprobs, 0),
    chat: options.template === undefined ? undefined : { template: options.template },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function temperature({ temp, temperature: spelledOut }: OptionValues<typeof SAMPLING_OPTIONS>): number | undefined {
  if (temp !== undefined && spelledOut !== undefined) {
    throw new UsageError('--temp and --temperature are the same option: give one of them');
  }
  return numberOption('temp', temp) ?? numberOption('temperature', spelledOut);
}

/** `-t` used to be the temperature. 0 and fractions are never a number of threads. */
export function refuseTemperatureAsThreads(threads: string | undefined): void {
  if (threads === undefined || !/^(0|\d*\.\d+)$/.test(threads)) return;
  throw new UsageError(`-t is --threads; for the temperature use --temp ${threads}`);
}
