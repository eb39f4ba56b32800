import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = `${root}dist/`;
export const buildFolder = `${root}build/`;
/** Caches that outlive a checkout. tools/toolchain/common.sh has the same folder. */
export const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'quintet');
