// Paths of the benchmarks. Any Node that the repository supports runs them, but measurements run in Node 24, which
// tools/setup installs.
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

export const REPOSITORY = join(import.meta.dirname, '../..');
export const NODE_24 = join(REPOSITORY, 'tools/node/node_modules/node24/bin/node');
/** The models and files that benchmarks make for themselves. */
export const MADE = join(REPOSITORY, 'build/bench');

/** The built package's entry for Node, as a URL for import(). */
export const quintetEntry = () => pathToFileURL(join(REPOSITORY, 'dist/node.js')).href;

/** The path under which the server for Chromium offers a file of the repository. */
export const urlPath = (file) => `/${relative(REPOSITORY, file).split(sep).join('/')}`;
