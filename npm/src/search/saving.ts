// Saves, loads and merges indexes.

import { closedError, inputError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions } from '../base/values.js';
import { readContainer } from '../safetensors/container.js';
import { builtWith, checkEmbedder } from './built_with.js';
import type { IndexCore } from './index_core.js';
import { factsIn, readIndexFile, type SaveIndexOptions, saveRules, writeIndexFile } from './index_file.js';
import type { MergeOptions } from './merge.js';
import { hasKeywords, type IndexOptions, type LoadIndexOptions, loadRules } from './search_options.js';
import { inTurns } from './steps.js';
import { takesTexts, textEmbedder } from './text_embedder.js';

const merging = lazyModule(() => import('./merge.js'), 'mergeIndexFiles', 'ReadableStream');

export async function saveIndex(core: IndexCore, options: SaveIndexOptions | undefined): Promise<Uint8Array> {
  checkOptions(options, saveRules, 'save');
  const { embedder, keywords = hasKeywords(embedder), keepTexts = true, prompts, poolFactor = 1 } = core.options;
  void core.vectors;
  if (embedder && takesTexts(embedder)) core.builtWith ??= await builtWith(textEmbedder(embedder), prompts);
  const words = await core.words?.collected();
  const { vectors, entries, storage, dimension, kind, changes } = core;
  const checkUnchanged = (): void => {
    if (core.entries !== entries) throw closedError();
    if (core.changes !== changes) throw inputError('mismatch', 'save: the index changed while it was being saved');
  };
  const rows = words && words.size > 0 ? await inTurns(words.rows(entries.inOrder())) : undefined;
  checkUnchanged();
  const facts = { storage, dimension, keywords, keepTexts, kind, poolFactor, builtWith: core.builtWith };
  const content = { ...facts, core, entries, vectors, words: rows };
  return writeIndexFile(content, checkUnchanged, options);
}

/** `create` makes an empty index. */
export async function loadIndex(
  source: ModelSource,
  options: LoadIndexOptions | undefined,
  create: (options: IndexOptions & { dimension: number }) => IndexCore,
): Promise<void> {
  checkOptions(options, loadRules, 'load');
  const container = await readContainer(source, undefined, yieldIfDue);
  const { kind, builtWith, ...facts } = factsIn(container.metadata);
  const { dimension } = facts;
  if (options?.embedder) await checkEmbedder(options.embedder, dimension, builtWith);
  const prompts = builtWith && { prompts: builtWith.prompts };
  const core = create({ ...options, ...facts, vectors: kind, ...prompts });
  core.builtWith = builtWith;
  await core.starting;
  await readIndexFile(container, core);
}

export async function mergeIndexes(
  indexes: readonly ModelSource[],
  options: MergeOptions | undefined,
): Promise<ReadableStream<Uint8Array>> {
  return (await merging()).mergeIndexFiles(indexes, options);
}
