// The options of every command that computes: how its engine runs.
import type { LoadOptions } from '../../index.js';
import { choiceOption, countOption } from './arguments.js';
import type { OptionTable, OptionValues } from '../command.js';

export const ENGINE_OPTIONS = {
  threads: { type: 'string' },
  variant: { type: 'string' },
} as const satisfies OptionTable;

export const ENGINE_HELP = `  --threads N             how many compute; default: auto, one per processor
  --variant V             auto, baseline or relaxed: the instructions to use`;

export function engineOptions(options: OptionValues<typeof ENGINE_OPTIONS>): Pick<LoadOptions, 'threads' | 'variant'> {
  const variant = choiceOption('variant', options.variant, ['auto', 'baseline', 'relaxed']);
  const threads = options.threads === 'auto' ? 'auto' : countOption('threads', options.threads);
  return {
    ...(threads === undefined ? {} : { threads }),
    ...(variant === undefined ? {} : { variant }),
  };
}
