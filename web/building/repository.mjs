import { readFileSync } from 'node:fs';
import { root } from '../../tools/build/paths.mjs';

/** package.json, whose `repository` the pages link to. */
export const manifest = `${root}package.json`;

const { repository } = JSON.parse(readFileSync(manifest, 'utf8'));

/** The page of a file of the repository; undefined where package.json has no web address for it. */
export function addressOf(path, base = webAddress(repository)) {
  return base && `${base}/blob/HEAD/${path}`;
}

/**
 * 'git+https://github.com/owner/name.git', also as { url }, and 'github:owner/name' as the address that a browser
 * opens.
 */
export function webAddress(value) {
  const address = (typeof value === 'object' ? value?.url : value) ?? '';
  const [, short] = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(address) ?? [];
  if (short) return `https://github.com/${short}`;
  const [, long] = /^(?:git\+)?(https:\/\/[\w./-]+?)(?:\.git)?\/?$/.exec(address) ?? [];
  return long;
}
