// openSite in Node.

import { siteFiles } from '#platform/site_files';
import { Embedder } from '../../embed/embedder.js';
import { openSite as openHere } from '../open_site.js';
import type { OpenSiteOptions, Site } from '../types.js';
import { EmbeddedSite } from './embedded_site.js';
import { embedderModel } from './embedder_model.js';

/**
 * Opens the index of a site.
 * @param location The folder of the index: a URL or a path
 * @throws QuintetError IO if it cannot be read, FORMAT if it is damaged or of another version
 */
export async function openSite(location: string | URL, options: OpenSiteOptions = {}): Promise<Site> {
  const index = siteFiles.folderOf(location);
  return new EmbeddedSite(await openHere(location, options), (entry) =>
    Embedder.load(embedderModel(entry, new URL(`${entry.folder}/`, index))),
  );
}
