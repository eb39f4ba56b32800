// Opens the search of a site: in a worker if there are any, so that nothing that it does blocks the page.

import { siteFiles } from '#platform/site_files';
import { throwIfAborted } from '../base/abort.js';
import { SiteClient } from './thread/site_client.js';
import { startSiteWorker } from './thread/start_worker.js';
import type { OpenSiteOptions, Site } from './types.js';

/**
 * Opens the index of a site.
 * @param location The folder of the index: a URL, absolute or relative to the page; in Node also a path
 * @throws QuintetError IO if it cannot be read, FORMAT if it is damaged or of another version
 */
export async function openSite(location: string | URL, options: OpenSiteOptions = {}): Promise<Site> {
  const folder = siteFiles.folderOf(location);
  const lang = options.lang ?? (typeof document === 'object' ? document.documentElement.lang : '');
  const worker = siteFiles.hasWorkers ? await startSiteWorker().catch(() => undefined) : undefined;
  if (options.signal?.aborted) worker?.terminate();
  throwIfAborted(options.signal);
  if (worker) return SiteClient.open(worker, folder, { ...options, lang });
  const { SiteReader } = await import('./reader/site_reader.js');
  return SiteReader.open(folder, { ...options, lang });
}
