// The options of commands that turn texts into vectors.
import type { EmbedOptions } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { choiceOption, countOption } from './arguments.js';

export const EMBED_OPTIONS = {
  pooling: { type: 'string', value: 'P', help: 'how token vectors become one: mean, cls, max or last; default: as the model says' },
  'no-normalize': { type: 'boolean', help: 'do not scale vectors to length 1' },
  'max-length': {
    type: 'string',
    value: 'N',
    help: "most tokens of a text that are used, [CLS] and [SEP] included; default: the model's limit",
  },
  truncate: {
    type: 'string',
    value: 'T',
    help: 'longer texts: end (default) cuts them, error refuses them, chunk splits them and averages the parts',
  },
} as const satisfies OptionTable;

export function embedOptions(options: OptionValues<typeof EMBED_OPTIONS>): EmbedOptions {
  const pooling = choiceOption('pooling', options.pooling, ['mean', 'cls', 'max', 'last']);
  const truncate = choiceOption('truncate', options.truncate, ['end', 'error', 'chunk']);
  const maxLength = countOption('max-length', options['max-length']);
  return {
    normalize: options['no-normalize'] !== true,
    ...(pooling === undefined ? {} : { pooling }),
    ...(truncate === undefined ? {} : { truncate }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}
