// Documentation sites of Debian packages, which nobody here wrote: their pages as plain copies.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SITES = {
  postgresql: { root: '/usr/share/doc/postgresql-doc-15/html', package: 'postgresql-doc-15', main: 'body' },
  python: { root: '/usr/share/doc/python3.11/html', package: 'python3.11-doc', main: '.body' },
  apache: { root: '/usr/share/doc/apache2-doc/manual', package: 'apache2-doc', main: '#page-content' },
};

export const siteNames = Object.keys(SITES);
export const siteOf = (name) => SITES[name];

/** Throws with what to install if a package is missing. */
export function copySites(folder) {
  const missing = siteNames.filter((name) => !existsSync(SITES[name].root)).map((name) => SITES[name].package);
  if (missing.length > 0) throw new Error(`the sites are missing: apt-get install ${missing.join(' ')}`);
  for (const name of siteNames) {
    for (const page of pagesOf(SITES[name].root)) {
      const target = join(folder, name, page);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(SITES[name].root, page), target);
    }
  }
}

/** Paths of HTML files. Links are left out: Apache's stand for pages that are not translated. */
export function pagesOf(root) {
  const found = readdirSync(root, { recursive: true }).filter((path) => path.endsWith('.html'));
  return found.filter((path) => lstatSync(join(root, path)).isFile()).sort();
}

/** A page's text in the charset that it declares. */
export function textOf(path) {
  const bytes = readFileSync(path);
  const [, charset = 'utf-8'] = /charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1')) ?? [];
  return new TextDecoder(charset).decode(bytes);
}
