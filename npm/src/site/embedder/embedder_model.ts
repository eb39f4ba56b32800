// The source of an index's embedder.

import type { EmbedderEntry } from '../format/files.js';

/** A name on the Hub, a file, or the files of a folder. */
export type EmbedderModel = string | URL | Record<string, URL>;

/** `folder`: where the embedder's own files are. */
export function embedderModel({ model }: EmbedderEntry, folder: URL): EmbedderModel {
  if (typeof model === 'string') return /^hf:/i.test(model) ? model : new URL(model, folder);
  return Object.fromEntries(model.map((name) => [name, new URL(name, folder)]));
}
