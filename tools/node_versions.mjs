// The Node versions that quintet supports and is tested with: those of tools/node, else the running one.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const nodeMajors = [20, 22, 24];

/** The executable of Node `major`. */
export function nodePath(major) {
  const installed = fileURLToPath(new URL(`node/node_modules/node${major}/bin/node`, import.meta.url));
  if (existsSync(installed)) return installed;
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  throw new Error(`Node ${major} is not here: run tools/setup test`);
}

const installedRuntime = (path) => fileURLToPath(new URL(`node/node_modules/${path}`, import.meta.url));

/** The other runtimes that the package is tested with. */
export const denoPath = installedRuntime('deno/deno');
export const bunPath = installedRuntime('bun/bin/bun');
/** Cloudflare's runtime of Workers. */
export const workerdPath = installedRuntime('workerd/bin/workerd');
