// The options of `embed` that write shards.
import { type OptionValues, section } from '../command.js';
import { UsageError } from '../ending.js';
import { countOption } from './arguments.js';

const DEFAULT_SIZE = 10_000;
const LARGEST_SIZE = 1_000_000;

export const SHARD_OPTIONS = section('Output shards', {
  'output-shards': {
    type: 'string',
    value: 'DIR',
    help:
      'write the vectors to safetensors files in DIR, and print a JSON line for each; finished shards of the same ' +
      'lines, model and options are kept',
  },
  'shard-size': {
    type: 'string',
    value: 'N',
    help: `lines per shard; default ${DEFAULT_SIZE}, at most ${LARGEST_SIZE}`,
  },
  replace: {
    type: 'boolean',
    help: 'overwrite shards of other lines, another model or other options, which are otherwise an error',
  },
});

export interface ShardSettings {
  folder: string;
  size: number;
  replaces: boolean;
}

/** Undefined without --output-shards. */
export function shardSettings(options: OptionValues<typeof SHARD_OPTIONS>): ShardSettings | undefined {
  const { 'output-shards': folder, replace } = options;
  const size = countOption('shard-size', options['shard-size']);
  if (folder === undefined && (size !== undefined || replace)) {
    throw new UsageError('--shard-size and --replace need --output-shards');
  }
  if (folder === undefined) return undefined;
  if (folder === '') throw new UsageError('--output-shards needs the name of a folder');
  if (size !== undefined && size > LARGEST_SIZE) throw new UsageError(`--shard-size takes at most ${LARGEST_SIZE}`);
  return { folder, size: size ?? DEFAULT_SIZE, replaces: replace === true };
}
