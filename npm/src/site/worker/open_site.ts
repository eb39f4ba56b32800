// openSite in a page.

import { siteFiles } from '#platform/site_files';
import { EmbeddedSite } from '../embedder/embedded_site.js';
import { loadPageEmbedder } from '../embedder/page_embedder.js';
import type { SearchedSite } from '../reader/site_reader.js';
import type { OpenSiteOptions, Site } from '../types.js';
import { startSiteWorker } from './start.js';
import { WorkerSite } from './worker_site.js';

/**
 * Opens the index of a site, in a worker, or on the page itself where it may start none.
 * @param location The folder of the index: a URL, absolute or relative to the page
 * @throws QuintetError IO if it cannot be read, FORMAT if it is damaged or of another version
 */
export async function openSite(location: string | URL, options: OpenSiteOptions = {}): Promise<Site> {
  const { lang = globalThis.document?.documentElement.lang ?? '', signal } = options;
  const folder = siteFiles.folderOf(location);
  const site = await openFolder(folder.href, lang, signal);
  return new EmbeddedSite(site, (entry) => loadPageEmbedder(folder, entry));
}

async function openFolder(folder: string, lang: string, signal: AbortSignal | undefined): Promise<SearchedSite> {
  const worker = typeof Worker === 'undefined' ? undefined : await startSiteWorker();
  if (worker) return WorkerSite.open(worker, folder, lang, signal);
  const { openSite: openHere } = await import('quintet-site-worker');
  return openHere(folder, { lang, ...(signal && { signal }) });
}
