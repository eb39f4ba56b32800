// The scripts of the package that a page of the site loads: the element, and all that it starts.

import { readFile } from 'node:fs/promises';

const first = 'quintet-search.js';

/** Name and content of each; they lie beside the script that this becomes part of. */
export async function siteScripts(): Promise<Map<string, Uint8Array>> {
  const scripts = new Map<string, Uint8Array>();
  const names = new Set([first]);
  for (const name of names) {
    const bytes = await readFile(new URL(`./${name}`, import.meta.url));
    scripts.set(name, bytes);
    for (const [, named] of bytes.toString('utf8').matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)) names.add(named!);
  }
  return scripts;
}
