// The files of a model in the order in which they are read.

import { inputError } from '../base/errors.js';
import type { ModelFolder, ModelSource } from '../base/types.js';
import { isA } from '../base/values.js';
import { notSource } from './open_source.js';

/** A file of a model. The name is empty if it is the only one. */
export interface NamedSource {
  name: string;
  source: ModelSource;
}

/** Orders the files so that descriptions come before the tensors. */
export function orderedFiles(source: ModelSource | ModelFolder): NamedSource[] {
  if (!isFolder(source)) return [{ name: '', source }];
  const files = Object.entries(source).map(([name, file]) => ({ name, source: file }));
  if (files.length === 0) throw inputError('missing', 'the folder is empty');
  return files.sort((a, b) => rankOf(a.name) - rankOf(b.name) || (a.name < b.name ? -1 : 1));
}

export function isFolder(source: ModelSource | ModelFolder): source is ModelFolder {
  if (source === undefined || source === null) {
    throw notSource(source);
  }
  return isA(source, 'Object') && !(Symbol.asyncIterator in (source as object));
}

/** config.json, tokenizer files, list of shards, weights. */
function rankOf(file: string): number {
  if (file === 'config.json') return 0;
  if (file.endsWith('.index.json')) return 2;
  return /\.(json|txt|model|jinja)$/.test(file) ? 1 : 3;
}
