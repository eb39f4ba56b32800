// The scripts of the package that a page of the site loads: the element, and all that it starts.

import { readFile } from 'node:fs/promises';

const first = 'quintet-search.js';

/** A script next to the one that this becomes part of. */
export interface SiteScript {
  name: string;
  bytes: Uint8Array;
  /** Whether every visitor loads it: of the others, the stemmers of languages, one is loaded. */
  isAlways: boolean;
}

export async function siteScripts(): Promise<SiteScript[]> {
  const contents = new Map<string, Uint8Array>();
  const always = new Set([first]);
  const names = new Set(always);
  for (const name of names) {
    const bytes = await readFile(new URL(`./${name}`, import.meta.url));
    contents.set(name, bytes);
    for (const [, call, named] of bytes.toString('utf8').matchAll(/(\bimport\()?["'`]\.\/([\w-]+\.js)["'`]/g)) {
      names.add(named!);
      if (!call && always.has(name)) always.add(named!);
    }
  }
  return Array.from(contents, ([name, bytes]) => ({ name, bytes, isAlways: always.has(name) }));
}
