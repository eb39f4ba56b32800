// Adds pictures to an index with the vectors that its model gives them, one after another.

import { inputError } from '../base/errors.js';
import { callback } from '../base/rules.js';
import { checkOptions, isA, type Rule, signal, typeName } from '../base/values.js';
import type { ImageInput } from '../images/types.js';
import { checkId, type IndexCore } from './index_core.js';
import type { AddImagesOptions } from './search_options.js';
import type { ImageEntry } from './types.js';

const rules: Record<keyof AddImagesOptions, Rule> = { onProgress: callback, onError: callback, signal };

const any: Rule = ['', () => true];
const entryRules: Record<keyof ImageEntry, Rule> = { id: any, image: any, payload: any };

/** Returns the number of entries that were added. */
export async function addImages(
  core: IndexCore,
  entries: Iterable<ImageEntry> | AsyncIterable<ImageEntry>,
  options: AddImagesOptions = {},
): Promise<number> {
  checkOptions(options, rules, 'addImages');
  const { onProgress, onError, signal } = options;
  const { embedder } = core.options;
  if (!embedder || !('embedImageStream' in embedder) || !embedder.embedImageStream) {
    throw inputError('missing', 'addImages: the index has no embedder of images');
  }
  void core.vectors;
  const total = Array.isArray(entries) ? entries.length : Infinity;
  /** Entries that have no vector yet: the model reads ahead. */
  const waiting: Omit<ImageEntry, 'image'>[] = [];
  let done = 0;
  let added = 0;
  const vectors = embedder.embedImageStream(imagesOf(entries, waiting), {
    ...(signal && { signal }),
    ...(onError && {
      onError(_, error) {
        onError(waiting.shift()!.id, error);
        onProgress?.(++done, total);
      },
    }),
  });
  for await (const vector of vectors) {
    core.add({ ...waiting.shift()!, vector });
    ++added;
    onProgress?.(++done, total);
  }
  return added;
}

async function* imagesOf(
  entries: Iterable<ImageEntry> | AsyncIterable<ImageEntry>,
  waiting: Omit<ImageEntry, 'image'>[],
): AsyncGenerator<ImageInput, void, undefined> {
  if (typeof entries !== 'object' || !(Symbol.asyncIterator in Object(entries) || Symbol.iterator in Object(entries))) {
    throw inputError('wrong_type', `addImages: entries must be an iterable of objects, not ${typeName(entries)}`);
  }
  let count = 0;
  for await (const entry of entries) {
    const { image, ...others } = checkEntry(entry, count++);
    waiting.push(others);
    yield image;
  }
}

function checkEntry(entry: unknown, index: number): ImageEntry {
  if (!isA(entry, 'Object')) {
    throw inputError('wrong_type', `entry ${index} must be an object with an id and an image, not ${typeName(entry)}`);
  }
  checkOptions(entry, entryRules, `addImages: entry ${index}`);
  checkId((entry as ImageEntry).id);
  return entry as ImageEntry;
}
