// The files of a model in the order in which they are read.

import { inputError } from '../../base/errors.js';
import type { ModelFolder, ModelInput, ModelSource } from '../../base/types.js';
import { isA } from '../../base/values.js';
import { notSource } from '../open_source.js';

/** A file of a model. The name is empty if it is the only one, or if it is one of a list. */
export interface NamedSource {
  name: string;
  source: ModelSource;
}

/** Orders the files so that descriptions come before the tensors. A list stays in its order. */
export function orderedFiles(source: ModelInput): NamedSource[] {
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

/** config.json, tokenizer files, list of shards, weights of modules in folders of their own, weights. */
function rankOf(file: string): number {
  if (file === 'config.json') return 0;
  if (file.endsWith('.index.json')) return 2;
  if (describesModel(file)) return 1;
  return file.includes('/') ? 3 : 4;
}
