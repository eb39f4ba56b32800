// The inputs of `convert`: one model file, the files of a Hugging Face folder, or the folder itself.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inputError, messageOf, QuintetError } from '../errors.js';
import type { ModelFolder, ModelSource } from '../node.js';
import { modelSource } from './sources.js';
import { UsageError } from './usage_error.js';

/** What the converter reads beside the weights. */
const SHARD_LIST = 'model.safetensors.index.json';
const DESCRIBING_FILES = [
  'config.json', 'tokenizer.json', 'tokenizer.model', 'vocab.txt', 'tokenizer_config.json', 'special_tokens_map.json',
  SHARD_LIST,
];
const WHOLE_WEIGHTS = 'model.safetensors';

/** May be asked for again: a source is only opened when it is read. */
export async function convertSource(inputs: readonly string[]): Promise<ModelSource | ModelFolder> {
  const [first] = inputs;
  if (inputs.length === 1 && first !== undefined) {
    return (await isFolder(first)) ? folderFiles(first) : modelSource(first);
  }
  const names = inputs.map((path) => basename(path));
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new UsageError(`two files are called '${twice}'`);
  return Object.fromEntries(inputs.map((path, i) => [names[i], modelSource(path)]));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function folderFiles(folder: string): Promise<ModelFolder> {
  const present = await readdir(folder);
  const weights = await weightFiles(folder, present);
  if (!present.includes('config.json') || weights.length === 0) {
    const needed = 'config.json and *.safetensors are needed';
    throw inputError('missing', `${folder} is no Hugging Face model: ${needed}`);
  }
  const chosen = [...DESCRIBING_FILES.filter((name) => present.includes(name)), ...weights];
  return Object.fromEntries(chosen.map((name) => [name, join(folder, name)]));
}

/** Some folders hold the same weights twice: whole, in shards, or as their author's own file. */
async function weightFiles(folder: string, present: readonly string[]): Promise<string[]> {
  if (present.includes(SHARD_LIST)) return shardFiles(join(folder, SHARD_LIST), present);
  if (present.includes(WHOLE_WEIGHTS)) return [WHOLE_WEIGHTS];
  return present.filter((name) => name.endsWith('.safetensors')).sort();
}

async function shardFiles(list: string, present: readonly string[]): Promise<string[]> {
  const shards = await readShardList(list);
  const absent = shards.find((name) => !present.includes(name));
  if (absent !== undefined) throw inputError('missing', `${list} names a file that is not there: ${absent}`);
  return shards;
}

async function readShardList(list: string): Promise<string[]> {
  try {
    const { weight_map: map } = JSON.parse(await readFile(list, 'utf8')) as { weight_map: Record<string, string> };
    return [...new Set(Object.values(map))].sort();
  } catch (cause) {
    throw new QuintetError('INPUT', `${list} is no list of shards: ${messageOf(cause)}`, { reason: 'malformed', cause });
  }
}
