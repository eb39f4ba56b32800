// The folder in which a build keeps data for the next one.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * The cache is where npm's tools have theirs: in `node_modules/.cache` of the nearest project above the working
 * directory, which continuous integration keeps on request; else among the caches of the user. Each site has its own
 * folder.
 */
export function cacheFolder(dir: string): string {
  const site = createHash('sha256').update(resolve(dir)).digest('hex').slice(0, 12);
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'quintet-site', site);
    if (folder === dirname(folder)) break;
  }
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'quintet', 'site', site);
}
