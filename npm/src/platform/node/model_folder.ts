// Model folders in the layout of Hugging Face.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { inputError, messageOf, QuintetError } from '../../base/errors.js';
import type { ModelFolder } from '../../base/types.js';

/** The files that are read besides the weights. */
const shardList = 'model.safetensors.index.json';
const vocabularyFiles = ['tokenizer.json', 'tokenizer.model', 'vocab.txt'];
const textFiles = [
  ...vocabularyFiles, 'tokenizer_config.json', 'special_tokens_map.json', 'chat_template.jinja', 'generation_config.json',
];
const describingFiles = ['config.json', ...textFiles, shardList];
const wholeWeights = 'model.safetensors';

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** The tokenizer files of a folder, with or without a model. */
export async function tokenizerFolder(folder: string): Promise<ModelFolder> {
  const present = await readdir(folder);
  if (!vocabularyFiles.some((name) => present.includes(name))) {
    throw inputError('missing', `${folder} has no tokenizer: it needs one of ${vocabularyFiles.join(', ')}`);
  }
  return pathsOf(folder, ['config.json', ...textFiles].filter((name) => present.includes(name)));
}

const pathsOf = (folder: string, names: readonly string[]): ModelFolder =>
  Object.fromEntries(names.map((name) => [name, join(folder, name)]));

/** The files of a folder that make up the model. */
export async function modelFolder(folder: string): Promise<ModelFolder> {
  const present = await readdir(folder);
  const weights = await weightFiles(folder, present);
  if (!present.includes('config.json') || weights.length === 0) {
    throw inputError('missing', `${folder} is not a Hugging Face model: it needs config.json and *.safetensors`);
  }
  return pathsOf(folder, [...describingFiles.filter((name) => present.includes(name)), ...weights]);
}

/** Some folders contain the same weights twice: whole, in shards, or in another file of their author. */
async function weightFiles(folder: string, present: readonly string[]): Promise<string[]> {
  if (present.includes(shardList)) return shardFiles(join(folder, shardList), present);
  if (present.includes(wholeWeights)) return [wholeWeights];
  return present.filter((name) => name.endsWith('.safetensors')).sort();
}

async function shardFiles(list: string, present: readonly string[]): Promise<string[]> {
  const shards = await readShardList(list);
  const absent = shards.find((name) => !present.includes(name));
  if (absent !== undefined) throw inputError('missing', `${list} names a file that does not exist: ${absent}`);
  return shards;
}

async function readShardList(list: string): Promise<string[]> {
  try {
    const { weight_map: map } = JSON.parse(await readFile(list, 'utf8')) as { weight_map: Record<string, string> };
    return [...new Set(Object.values(map))].sort();
  } catch (cause) {
    const message = `${list} is not a list of shards: ${messageOf(cause)}`;
    throw new QuintetError('INPUT', message, { reason: 'malformed', cause });
  }
}
