// Node runs the benchmarks with any version that the repository supports; what is measured runs in Node 24, which
// tools/setup installs.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const REPOSITORY = join(import.meta.dirname, '../..');
export const NODE_24 = join(REPOSITORY, 'tools/node/node_modules/node24/bin/node');

/** The built package's entry for Node, as a URL for import(). */
export function quintetEntry() {
  return pathToFileURL(join(REPOSITORY, 'dist/node.js')).href;
}
