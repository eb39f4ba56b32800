// quintet/site: builds the search of a site.

import { join } from 'node:path';

import { requireOption } from '../../base/arguments.js';
import { checkOptions } from '../../base/values.js';
import { type BuildSiteOptions, buildRules, indexRules, type SiteIndexOptions } from './options.js';
import type { SiteReport } from './report.js';
import { SiteIndex } from './site_index.js';

/**
 * Builds the search of a site from its pages: reads the HTML of a folder, and writes an index, and the scripts that
 * search it, into the folder `out`. What has not changed since the last build is not read again.
 * @throws QuintetError INPUT, IO, ABORTED
 */
export async function buildSite(options: BuildSiteOptions): Promise<SiteReport> {
  checkOptions(options, buildRules, 'buildSite');
  const dir = requireOption(options, 'dir', 'buildSite');
  const { out = join(dir, 'search'), signal, onProgress, dir: _, ...others } = options;
  return new SiteIndex(others)
    .addDirectory(dir)
    .write(out, { ...(signal && { signal }), ...(onProgress && { onProgress }) });
}

/** An empty index, to which folders, pages and records are added, and which then writes itself. */
export function createSiteIndex(options: SiteIndexOptions = {}): SiteIndex {
  checkOptions(options, indexRules, 'createSiteIndex');
  return new SiteIndex(options);
}
