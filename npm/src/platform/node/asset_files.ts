// Files of the package that a page requests at run time, where bundlers do not find them.
import { readFileSync } from 'node:fs';

/** The uses of a page, and the files that each begins with. 'page': the package itself, where there is no bundler. */
const USES: Readonly<Record<string, readonly string[]>> = {
  ...assetUses,
  grammar: ['quintet-grammar.wasm'],
  page: ['index.js'],
};

/** The package itself is copied under this name, so that it replaces no script of the page. */
export const PAGE_SCRIPT = 'quintet.js';

/** The name of a file in the package. */
export const sourceOf = (name: string): string => (name === PAGE_SCRIPT ? 'index.js' : name);

export const ASSET_USES: readonly string[] = Object.keys(USES);

/** The package's files are next to its scripts, of which this becomes one. */
export const packageFolder = new URL('./', import.meta.url);

/** Names of the package's files for these uses, in order. */
export const packageFilesFor = (uses: readonly string[]): string[] =>
  [...new Set(uses.flatMap((use) => [...reached(USES[use]!, use !== 'page')]))].sort();

/** Names of the copies of these files, in order. */
export const assetsFor = (uses: readonly string[]): string[] =>
  packageFilesFor(uses)
    .map((name) => (name === 'index.js' ? PAGE_SCRIPT : name))
    .sort();

/**
 * These files and all that they name, at once or later. The page names the modules of every class; the other uses show
 * which of them it needs.
 */
function reached(begun: readonly string[], withModules: boolean): Set<string> {
  const names = new Set(begun);
  for (const name of names) {
    if (!name.endsWith('.js')) continue;
    for (const named of namedIn(name)) if (withModules || named.endsWith('.js')) names.add(named);
  }
  return names;
}

/** The files that a script imports or locates, except for the workers that a page may start. */
function namedIn(script: string): string[] {
  const text = readFileSync(new URL(script, packageFolder), 'utf8');
  const named = Array.from(text.matchAll(/["'`]\.\/([\w-]+\.(?:js|wasm))["'`]/g), ([, name]) => name!);
  return named.filter((name) => !name.endsWith('_worker.js'));
}
