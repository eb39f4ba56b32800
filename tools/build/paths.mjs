import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = `${root}dist/`;
export const buildFolder = `${root}build/`;
