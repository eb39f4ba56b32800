// The options of every command that computes: how its engine runs.
import type { LoadOptions } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { choiceOption } from './arguments.js';

export const ENGINE_OPTIONS = {
  threads: {
    type: 'string',
    short: 't',
    value: 'N',
    help: 'number of threads, or `auto` (default): one per processor',
  },
  variant: {
    type: 'string',
    value: 'V',
    help: 'build of the engine: `baseline`, `relaxed` (relaxed SIMD), or `auto` (default): the faster one that runs here',
  },
} as const satisfies OptionTable;

export function engineOptions(options: OptionValues<typeof ENGINE_OPTIONS>): Pick<LoadOptions, 'threads' | 'variant'> {
  const variant = choiceOption('variant', options.variant, ['auto', 'baseline', 'relaxed']);
  const threads = threadsOption(options.threads);
  return {
    ...(threads === undefined ? {} : { threads }),
    ...(variant === undefined ? {} : { variant }),
  };
}

export function threadsOption(value: string | undefined): number | 'auto' | undefined {
  if (value === undefined || value === 'auto') return value;
  if (!/^[1-9]\d*$/.test(value))
    throw new UsageError(`--threads takes auto or a whole number above zero, not '${value}'`);
  return Number(value);
}
