// Model folders in the layout of Hugging Face, or with a GGUF model.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { inputError, messageOf, QuintetError } from '../../base/errors.js';
import type { ModelFolder } from '../../base/types.js';
import { isTemplateFile, modelName, templateFolder } from '../folder.js';
import {
  configFile,
  describedBy,
  describingFiles,
  isSentenceFile,
  moduleFiles,
  preprocessorFile,
  shardList,
  textFiles,
  vocabularyFiles,
  wholeWeights,
} from '../hub/chosen_files.js';
import type { Reader } from '../types.js';

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** The files of a folder that a class reads. */
export function readFolder(folder: string, reader: Reader): Promise<ModelFolder> {
  const { kinds, describing, weights, hasModules } = reader;
  if (weights !== undefined) return fixedFolder(folder, [...describing!, weights]);
  if (describing) return imageFolder(folder, describing);
  if (kinds?.includes('none')) return tokenizerFolder(folder);
  return hasModules ? embedderFolder(folder, reader) : generatorFolder(folder);
}

/** The tokenizer files of a folder, with or without a model. */
async function tokenizerFolder(folder: string): Promise<ModelFolder> {
  const present = await readdir(folder);
  if (!vocabularyFiles.some((name) => present.includes(name))) {
    const gguf = ggufFiles(folder, present);
    if (gguf.length > 0) return pathsOf(folder, gguf);
    throw inputError('missing', `${folder} has no tokenizer: it needs one of ${vocabularyFiles.join(', ')}`);
  }
  return withTemplates(
    folder,
    pathsOf(
      folder,
      [configFile, ...textFiles].filter((name) => present.includes(name)),
    ),
  );
}

/** The files of a folder that a text generator needs: those of the model, and all chat templates. */
const generatorFolder = async (folder: string): Promise<ModelFolder> =>
  withTemplates(folder, await modelFolder(folder));

async function withTemplates(folder: string, files: ModelFolder): Promise<ModelFolder> {
  if (Object.keys(files).some((name) => name.endsWith('.gguf'))) return files;
  const present = await readdir(join(folder, templateFolder)).catch(() => []);
  return { ...files, ...pathsOf(folder, present.map((name) => `${templateFolder}/${name}`).filter(isTemplateFile)) };
}

const pathsOf = (folder: string, names: readonly string[]): ModelFolder =>
  Object.fromEntries(names.map((name) => [name, join(folder, name)]));

/** The files of a folder that make up the model. */
async function modelFolder(folder: string): Promise<ModelFolder> {
  const present = await readdir(folder);
  const weights = await weightFiles(folder, present);
  const isComplete = present.includes(configFile) && weights.length > 0;
  const gguf = isComplete ? [] : ggufFiles(folder, present);
  if (gguf.length > 0) return pathsOf(folder, gguf);
  if (!isComplete)
    throw inputError('missing', `${folder} is not a model: it needs config.json and *.safetensors, or a GGUF model`);
  return pathsOf(folder, [...describingFiles.filter((name) => present.includes(name)), ...weights]);
}

/**
 * In addition, the files of sentence-transformers: those of the modules that modules.json names. Static embeddings are
 * such a module; then there need not be a model in the folder itself.
 */
async function embedderFolder(folder: string, { hasImages, others = [] }: Reader): Promise<ModelFolder> {
  const present = await readdir(folder);
  const further = hasImages ? [preprocessorFile, ...others] : others;
  const described = present.filter((name) => isSentenceFile(name) || further.includes(name));
  const paths = await modulePaths(folder, described);
  const parts = paths.flatMap((path) => moduleFiles(path).map((name) => `${path}/${name}`));
  const there = await Promise.all(parts.map((name) => isFile(join(folder, name))));
  const modules = pathsOf(folder, [...described, ...parts.filter((_, i) => there[i])]);
  const hasWeights = Object.keys(modules).some((name) => name.endsWith(wholeWeights));
  if (hasWeights && !present.includes(configFile)) return modules;
  const files = await modelFolder(folder);
  return Object.hasOwn(files, configFile) ? { ...files, ...modules } : files;
}

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() === true;

/** The folders of the modules, also of those that a Router has; other errors are found when they are read. */
async function modulePaths(folder: string, described: readonly string[]): Promise<string[]> {
  const list = described.includes('modules.json') ? await readJson(join(folder, 'modules.json')) : undefined;
  const router = described.includes('router_config.json')
    ? await readJson(join(folder, 'router_config.json'))
    : undefined;
  const listed = Array.isArray(list) ? list.map((module: { path?: unknown }) => module?.path) : [];
  const routed = Object.keys((router as { types?: object } | undefined)?.types ?? {});
  return [...listed, ...routed].filter((path): path is string => typeof path === 'string' && /^[\w-]+$/.test(path));
}

const readJson = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/** The files of an image network: those that describe it, and its weights. */
async function imageFolder(folder: string, describing: readonly string[]): Promise<ModelFolder> {
  const present = await readdir(folder);
  const weights = await weightFiles(folder, present);
  if (weights.length === 0) throw inputError('missing', `${folder} is not an image network: it needs *.safetensors`);
  const list = weights.length > 1 && present.includes(shardList) ? [shardList] : [];
  return pathsOf(folder, [...describedBy(present, describing), ...list, ...weights]);
}

/** A folder of these files alone, each of which must be there. */
async function fixedFolder(folder: string, names: readonly string[]): Promise<ModelFolder> {
  const present = await readdir(folder);
  const absent = names.filter((name) => !present.includes(name));
  if (absent.length > 0) throw inputError('missing', `${folder} has no ${absent.join(' and no ')}`);
  return pathsOf(folder, names);
}

/** The parts of the only GGUF model of a folder; none if it has none. */
function ggufFiles(folder: string, present: readonly string[]): string[] {
  const gguf = present.filter((name) => name.endsWith('.gguf')).sort();
  const models = new Set(gguf.map(modelName));
  if (models.size > 1)
    throw inputError('mismatch', `${folder} has several GGUF models: name one of ${[...models].join(', ')}`);
  return gguf;
}

/** Some folders contain the same weights twice: whole, in shards, or in another file of their author. */
async function weightFiles(folder: string, present: readonly string[]): Promise<string[]> {
  if (present.includes(shardList)) {
    const shards = await shardFiles(join(folder, shardList), present);
    if (shards) return shards;
  }
  if (present.includes(wholeWeights)) return [wholeWeights];
  return present.filter((name) => name.endsWith('.safetensors')).sort();
}

/** Undefined if the list is not JSON: reading it as a part of the model reports the error. */
async function shardFiles(list: string, present: readonly string[]): Promise<string[] | undefined> {
  const shards = await readShardList(list);
  const absent = shards?.find((name) => !present.includes(name));
  if (absent !== undefined) throw inputError('missing', `${list} names a file that does not exist: ${absent}`);
  return shards;
}

async function readShardList(list: string): Promise<string[] | undefined> {
  try {
    const { weight_map: map } = JSON.parse(await readFile(list, 'utf8')) as { weight_map: Record<string, string> };
    return [...new Set(Object.values(map))].sort();
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    const message = `${list} is not a list of shards: ${messageOf(cause)}`;
    throw new QuintetError('INPUT', message, { reason: 'malformed', cause });
  }
}
