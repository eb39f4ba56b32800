// Opens the search of a site, in the thread that calls it, for which others may embed the queries.

import { type SearchedSite, SiteReader } from './reader/site_reader.js';
import type { OpenSiteOptions } from './types.js';

/**
 * Opens the index of a site.
 * @param location The folder of the index: a URL, absolute or relative to the page; in Node also a path
 * @throws QuintetError IO if it cannot be read, FORMAT if it is damaged or of another version
 */
export function openSite(location: string | URL, options: OpenSiteOptions = {}): Promise<SearchedSite> {
  return SiteReader.open(location, options);
}
