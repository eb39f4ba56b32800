import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { pages } from './pages.mjs';
import { base, site, web } from './paths.mjs';

/** Folders with hundreds of files, which are not listed one by one. */
const textFolders = ['book/', 'docs/'];

/**
 * Writes the service worker with the names of the site's files. The names contain digests, so it changes when a file
 * changes.
 */
export async function writeServiceWorker() {
  const files = await filesOf(site);
  const isText = (path) => textFolders.some((folder) => path.startsWith(base + folder));
  const texts = createHash('sha256').update(files.filter(isText).join());
  const script = await readFile(`${web}offline/service_worker.js`, 'utf8');
  const lines = [
    `const base = ${JSON.stringify(base)};`,
    `const everyFile = ${JSON.stringify(files.filter((path) => !isText(path)))};`,
    `const keptFiles = ${JSON.stringify(await filesOfPages())};`,
    `const textFolders = ${JSON.stringify(textFolders)};`,
    `const textsDigest = '${texts.digest('hex').slice(0, 8)}';`,
    // Every visitor downloads it, without its comments.
    script.replace(/^\s*(?:\/\/|\/?\*).*\n/gm, ''),
  ];
  await writeFile(`${site}sw.js`, lines.join('\n'));
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => base + relative(folder, `${parentPath}/${name}`)).sort();
}

/** The pages, and the scripts, styles and pictures named in them. Vite also names what a script imports. */
async function filesOfPages() {
  const names = pages.map(({ name }) => `${name}.html`);
  const texts = await Promise.all(names.map((name) => readFile(site + name, 'utf8')));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\s(?:src|href)="(\/[^"#?]*\.(?:js|css|svg))"/g)].map((match) => match[1]),
  );
  return [...new Set([...names.map((name) => base + name), ...named])];
}
