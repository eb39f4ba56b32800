// The options of `embed` that write shards.
import { UsageError } from '../ending.js';
import { countOption } from './arguments.js';
import type { OptionTable, OptionValues } from '../command.js';

export const SHARD_OPTIONS = {
  'output-shards': { type: 'string' },
  'shard-size': { type: 'string' },
  replace: { type: 'boolean' },
} as const satisfies OptionTable;

const DEFAULT_SIZE = 10_000;
const LARGEST_SIZE = 1_000_000;

export const SHARD_HELP = `  --output-shards DIR     write safetensors files into DIR instead, and tell of each in a JSON line;
                          what is there of the same lines, model and options is not made again
  --shard-size N          lines of a shard; default ${DEFAULT_SIZE}
  --replace               make shards again that were made of something else, which are refused else`;

export interface ShardSettings {
  folder: string;
  size: number;
  replaces: boolean;
}

/** Undefined where no shards are asked for. */
export function shardSettings(options: OptionValues<typeof SHARD_OPTIONS>): ShardSettings | undefined {
  const { 'output-shards': folder, replace } = options;
  const size = countOption('shard-size', options['shard-size']);
  if (folder === undefined && (size !== undefined || replace)) {
    throw new UsageError('--shard-size and --replace are for --output-shards');
  }
  if (folder === undefined) return undefined;
  if (folder === '') throw new UsageError('--output-shards takes a folder');
  if (size !== undefined && size > LARGEST_SIZE) throw new UsageError(`--shard-size is at most ${LARGEST_SIZE}`);
  return { folder, size: size ?? DEFAULT_SIZE, replaces: replace === true };
}
