// The pages in a folder.

import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { ioError, messageOf } from '../../base/errors.js';

export interface SiteFile {
  /** Its path on this machine. */
  path: string;
  /** Relative to the root of the site, as links name it. */
  url: string;
  kind: 'html' | 'markdown';
}

export interface FoundFiles {
  /** In the order of their names. */
  files: SiteFile[];
  /** Named by their path in the folder. */
  leftOut: { url: string; reason: string }[];
}

const ending = /\.(?:(html?|xhtml)|md|markdown)$/i;
/** Generators make it for addresses without a page. */
const notFoundPage = '404.html';

/**
 * The HTML pages of a folder; its Markdown pages if it has no HTML. Symbolic links are not followed: they would lead to
 * pages that are already listed, in circles, or out of the folder. Names that begin with a dot are skipped, and so is
 * `except`.
 * @throws QuintetError IO
 */
export async function findPages(dir: string, except: string | undefined): Promise<FoundFiles> {
  await requireFolder(dir);
  const found: FoundFiles = { files: [], leftOut: [] };
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(join(dir, folder), folder, found)) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const path = join(dir, name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || path === except) continue;
      if (entry.isDirectory()) folders.push(name);
      else if (ending.test(name)) addFile(name, path, entry, found);
    }
  }
  const hasHtml = found.files.some(({ kind }) => kind === 'html');
  const files = hasHtml ? found.files.filter(({ kind }) => kind === 'html') : found.files;
  return { files: files.sort(byUrl), leftOut: found.leftOut.sort(byUrl) };
}

function addFile(name: string, path: string, entry: Dirent, { files, leftOut }: FoundFiles): void {
  const kind = ending.exec(name)![1] ? 'html' : 'markdown';
  const reason = entry.isSymbolicLink() ? 'a link' : entry.isFile() ? undefined : 'no file';
  if (name === notFoundPage) leftOut.push({ url: name, reason: 'is the page for missing addresses' });
  else if (reason) leftOut.push({ url: urlOf(name, kind), reason });
  else files.push({ path, url: urlOf(name, kind), kind });
}

/** Markdown becomes HTML at the same place, and a README the page of its folder. */
function urlOf(name: string, kind: SiteFile['kind']): string {
  const page = kind === 'html' ? name : name.replace(ending, '.html').replace(/(^|\/)readme\.html$/i, '$1index.html');
  return page
    .split('/')
    .map((part) => encodeURI(part.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/[?#]/g, encodeURIComponent))
    .join('/');
}

async function entriesOf(path: string, folder: string, { leftOut }: FoundFiles): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    leftOut.push({ url: `${folder}/`, reason: `the folder cannot be read: ${messageOf(error)}` });
    return [];
  }
}

async function requireFolder(dir: string): Promise<void> {
  const stats = await lstat(join(dir, '.')).catch((error) => {
    throw ioError('not_found', `there is no folder '${dir}'`, error);
  });
  if (!stats.isDirectory()) throw ioError('not_found', `'${dir}' is not a folder`);
}

export const byUrl = (a: { url: string }, b: { url: string }): number => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0);
