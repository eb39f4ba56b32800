// The files of a model in the order in which they are read.

import { isA, typeName } from './byte_source.js';
import { inputError } from './errors.js';
import type { CacheEntry } from './model_source.js';
import type { ModelFolder, ModelSource } from './types.js';

export type NamedSource = readonly [name: string, source: ModelSource, entry?: CacheEntry];

/** What describes the tensors comes before them. */
export function orderedFiles(source: ModelSource | ModelFolder): NamedSource[] {
  if (!isFolder(source)) return [['', source]];
  const files = Object.entries(source);
  if (files.length === 0) throw inputError('missing', 'the folder has no files');
  return files.sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

export function isFolder(source: ModelSource | ModelFolder): source is ModelFolder {
  if (source === undefined || source === null) {
    throw inputError('wrong_type', `a model cannot come from ${typeName(source)}`);
  }
  return isA(source, 'Object') && !(Symbol.asyncIterator in (source as object));
}

/** config.json, the tokenizer's files, the list of the shards, the weights. */
function rankOf(file: string): number {
  if (file === 'config.json') return 0;
  if (file.endsWith('.index.json')) return 2;
  return /\.(json|txt|model|jinja)$/.test(file) ? 1 : 3;
}
