// The inputs of `convert`: one model file, the files of a Hugging Face folder, or the folder itself.
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inputError } from '../errors.js';
import type { ModelFolder, ModelSource } from '../node.js';
import { modelSource } from './sources.js';

/** What the converter reads beside the weights. */
const DESCRIBING_FILES = ['config.json', 'tokenizer.json', 'vocab.txt', 'tokenizer_config.json'];

/** May be asked for again: a source is only opened when it is read. */
export async function convertSource(inputs: readonly string[]): Promise<ModelSource | ModelFolder> {
  const [first] = inputs;
  if (inputs.length === 1 && first !== undefined) {
    return (await isFolder(first)) ? folderFiles(first) : modelSource(first);
  }
  return Object.fromEntries(inputs.map((path) => [basename(path), modelSource(path)]));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function folderFiles(folder: string): Promise<ModelFolder> {
  const names = await readdir(folder);
  const weights = names.filter((name) => name.endsWith('.safetensors'));
  if (!names.includes('config.json') || weights.length === 0) {
    const needed = 'config.json and *.safetensors are needed';
    throw inputError('missing', `${folder} is no Hugging Face model: ${needed}`);
  }
  const chosen = [...DESCRIBING_FILES.filter((name) => names.includes(name)), ...weights.sort()];
  return Object.fromEntries(chosen.map((name) => [name, join(folder, name)]));
}
