// Opens the search of a site, in the thread that calls it.

import { SiteReader } from './reader/site_reader.js';
import type { OpenSiteOptions, Site } from './types.js';

/**
 * Opens the index of a site.
 * @param location The folder of the index: a URL, absolute or relative to the page; in Node also a path
 * @throws QuintetError IO if it cannot be read, FORMAT if it is damaged or of another version
 */
export function openSite(location: string | URL, options: OpenSiteOptions = {}): Promise<Site> {
  return SiteReader.open(location, options);
}
