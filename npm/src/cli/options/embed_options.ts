// The options of commands that turn texts into vectors.
import type { EmbedOptions } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { choiceOption, countOption } from './arguments.js';

export const EMBED_OPTIONS = {
  pooling: {
    type: 'string',
    value: 'P',
    help: 'pooling of token vectors: `mean`, `cls`, `max` or `last`; default: from the files of the model',
  },
  normalize: { type: 'boolean', help: 'scale vectors to length 1; default: from the files of the model' },
  'no-normalize': { type: 'boolean', help: 'do not scale vectors to length 1' },
  dimensions: {
    type: 'string',
    value: 'N',
    help: 'truncate vectors to N elements and renormalize them, for models trained for it (Matryoshka)',
  },
  'max-length': {
    type: 'string',
    value: 'N',
    help: "maximum number of tokens of a text, [CLS] and [SEP] included; default: the model's limit",
  },
  truncate: {
    type: 'string',
    value: 'T',
    help: 'longer texts: `end` (default) cuts them, `error` rejects them, `chunk` splits them and averages the parts',
  },
} as const satisfies OptionTable;

export const TEXT_PROMPT_OPTIONS = {
  prompt: {
    type: 'string',
    short: 'p',
    value: 'TEXT',
    help: "put this before every text, '' for nothing; default: the model's default prompt",
  },
  'prompt-name': { type: 'string', value: 'NAME', help: "put the model's prompt of this name before every text" },
} as const satisfies OptionTable;

export const SEARCH_PROMPT_OPTIONS = {
  prompt: {
    type: 'string',
    short: 'p',
    value: 'TEXT',
    help: 'put this before queries; default: the model\'s prompt "query", if it has one',
  },
  'prompt-name': { type: 'string', value: 'NAME', help: "put the model's prompt of this name before queries" },
  'passage-prompt': {
    type: 'string',
    value: 'TEXT',
    help: 'put this before passages; default: the model\'s prompt "document", "passage" or "corpus"',
  },
  'passage-prompt-name': { type: 'string', value: 'NAME', help: "put the model's prompt of this name before passages" },
} as const satisfies OptionTable;

export function embedOptions(options: OptionValues<typeof EMBED_OPTIONS>): EmbedOptions {
  const pooling = choiceOption('pooling', options.pooling, ['mean', 'cls', 'max', 'last']);
  const truncate = choiceOption('truncate', options.truncate, ['end', 'error', 'chunk']);
  const maxLength = countOption('max-length', options['max-length']);
  const dimensions = countOption('dimensions', options.dimensions);
  const { normalize, 'no-normalize': unscaled } = options;
  if (normalize && unscaled) throw new UsageError('--normalize and --no-normalize cannot be used together');
  return {
    ...(normalize || unscaled ? { normalize: !unscaled } : {}),
    ...(pooling === undefined ? {} : { pooling }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(truncate === undefined ? {} : { truncate }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

export function textPrompt(options: OptionValues<typeof TEXT_PROMPT_OPTIONS>): EmbedOptions {
  return promptIn(options.prompt, options['prompt-name'], '');
}

export function passagePrompt(options: OptionValues<typeof SEARCH_PROMPT_OPTIONS>): EmbedOptions {
  return promptIn(options['passage-prompt'], options['passage-prompt-name'], 'passage-');
}

function promptIn(prompt: string | undefined, promptName: string | undefined, prefix: string): EmbedOptions {
  if (prompt !== undefined && promptName !== undefined) {
    throw new UsageError(`--${prefix}prompt and --${prefix}prompt-name cannot be used together`);
  }
  return { ...(prompt === undefined ? {} : { prompt }), ...(promptName === undefined ? {} : { promptName }) };
}
