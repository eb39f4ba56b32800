// The files of a model in a folder: their names, and the order in which they are read.

import { inputError } from '../base/errors.js';
import type { ModelFolder, ModelInput, ModelSource } from '../base/types.js';
import { isA } from '../base/values.js';
import { notSource } from './bytes/byte_source.js';
import type { ModelFile } from './types.js';

/** Orders the files so that descriptions come before the tensors. A list stays in its order. */
export function orderedFiles(source: ModelInput): ModelFile[] {
  if (isList(source)) {
    if (source.length === 0) throw inputError('missing', 'the list of files is empty');
    return source.map((file) => ({ name: '', source: file }));
  }
  if (!isFolder(source)) return [{ name: '', source }];
  const files = Object.entries(source).map(([name, file]) => ({ name, source: file }));
  if (files.length === 0) throw inputError('missing', 'the folder is empty');
  return files.sort(inReadingOrder);
}

/** Compares two files of a folder: descriptions come before the tensors. */
export const inReadingOrder = (a: { name: string }, b: { name: string }): number =>
  rankOf(a.name) - rankOf(b.name) || (a.name < b.name ? -1 : 1);

export const isList = (source: ModelInput): source is readonly ModelSource[] => Array.isArray(source);

export function isFolder(source: ModelInput): source is ModelFolder {
  if (source === undefined || source === null) {
    throw notSource(source);
  }
  return isA(source, 'Object') && !(Symbol.asyncIterator in (source as object));
}

/** Whether a file of a folder describes the model, and contains no tensors. */
export const describesModel = (file: string): boolean => /\.(json|txt|model|jinja)$/.test(file);

/** config.json, tokenizer files, list of shards, weights of modules in their own folders, weights. */
function rankOf(file: string): number {
  if (file === 'config.json') return 0;
  if (file.endsWith('.index.json')) return 2;
  if (describesModel(file)) return 1;
  return file.includes('/') ? 3 : 4;
}

/** The folder in which transformers saves further chat templates, each under its name. */
export const templateFolder = 'additional_chat_templates';
export const isTemplateFile = (path: string): boolean => /^additional_chat_templates\/[^/]+\.jinja$/.test(path);

// Models in several GGUF files, named as llama.cpp's gguf-split names them: NAME-00001-of-00003.gguf.
const partName = /-\d{5}-of-(\d{5})(?=\.gguf$)/;

/** The name of the model that a file belongs to: without the number of the part. */
export const modelName = (name: string): string => name.replace(partName, '');

/** The paths of all parts, from that of any of them; undefined for other paths. */
export function partsOf(path: string): string[] | undefined {
  const [, count] = partName.exec(path) ?? [];
  if (!Number(count)) return undefined;
  return Array.from({ length: Number(count) }, (_, i) =>
    path.replace(partName, `-${String(i + 1).padStart(5, '0')}-of-${count}`),
  );
}

/** The locations of all parts, from that of any of them; undefined for other locations. */
export function partsAt(location: URL): string[] | undefined {
  return partsOf(location.pathname)?.map((path) => {
    const part = new URL(location);
    part.pathname = path;
    return part.href;
  });
}
