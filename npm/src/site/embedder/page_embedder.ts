// Loads, in a page, the embedder of an index: its scripts are next to the index, so that pages without it have none of
// them.

import { ioError, messageOf } from '../../base/errors.js';
import type { EmbedderEntry } from '../format/files.js';
import type { QueryEmbedder } from './embedded_site.js';
import { type EmbedderModel, embedderModel } from './embedder_model.js';

interface Package {
  Embedder: { load(source: EmbedderModel): Promise<QueryEmbedder> };
}

/** `index`: the folder of the index. Undefined if the visitor saves data. */
export async function loadPageEmbedder(index: URL, entry: EmbedderEntry): Promise<QueryEmbedder | undefined> {
  if (savesData()) return undefined;
  const folder = new URL(`${entry.folder}/`, index);
  const script = new URL('index.js', folder).href;
  let loaded: Package;
  try {
    loaded = (await import(/*webpackIgnore:true*/ /* @vite-ignore */ script)) as Package;
  } catch (error) {
    throw ioError('network', `cannot load ${script}: ${messageOf(error)}`, error);
  }
  return loaded.Embedder.load(embedderModel(entry, folder));
}

/** The connection, as some browsers describe it. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}
