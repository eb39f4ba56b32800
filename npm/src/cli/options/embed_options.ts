// The options of commands that turn texts into vectors.
import type { EmbedOptions } from '../../index.js';
import { choiceOption, countOption } from './arguments.js';
import type { OptionTable, OptionValues } from '../command.js';

export const EMBED_OPTIONS = {
  pooling: { type: 'string' },
  'no-normalize': { type: 'boolean' },
  'max-length': { type: 'string' },
  truncate: { type: 'string' },
} as const satisfies OptionTable;

export const EMBED_HELP = `  --pooling P             mean (default), cls or max
  --no-normalize          do not scale vectors to length 1
  --max-length N          tokens of a text that are used, with [CLS] and [SEP]
  --truncate T            end (default): cut longer texts; error: refuse them;
                          chunk: average the parts`;

export function embedOptions(options: OptionValues<typeof EMBED_OPTIONS>): EmbedOptions {
  const pooling = choiceOption('pooling', options.pooling, ['mean', 'cls', 'max']);
  const truncate = choiceOption('truncate', options.truncate, ['end', 'error', 'chunk']);
  const maxLength = countOption('max-length', options['max-length']);
  return {
    normalize: options['no-normalize'] !== true,
    ...(pooling === undefined ? {} : { pooling }),
    ...(truncate === undefined ? {} : { truncate }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}
