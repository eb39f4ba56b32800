// Where the benchmark finds and keeps things.
import { join, relative, sep } from 'node:path';

import { NODE_24, quintetEntry, REPOSITORY } from '../shared/paths.mjs';
import { MODELS } from './shapes.mjs';

export { NODE_24, quintetEntry, REPOSITORY };
export const PAGE = 'bench/decoder/hosts/page.html';
export const NODE_CHILD = join(import.meta.dirname, 'hosts/node_child.mjs');
export const MODELS_ROOT = join(REPOSITORY, 'build/bench/decoder');

/** The model of a shape, as all contestants but quintet load it. */
export const ggufFile = (shape) => join(MODELS_ROOT, `${shape}.gguf`);
/** As quintet loads it: the same weights, in its own format where the shape says so. */
export const quintetFile = (shape) => (MODELS[shape].convert ? join(MODELS_ROOT, `${shape}.amb`) : ggufFile(shape));

/** The path under which the local server of the Chromium runs offers a file of the repository. */
export function urlPath(file) {
  return `/${relative(REPOSITORY, file).split(sep).join('/')}`;
}
