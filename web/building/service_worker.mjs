import { readdir, readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { pages, site, web } from './paths.mjs';

/** Writes the service worker with the names of the site's files. The names contain digests, so it changes when a file changes. */
export async function writeServiceWorker() {
  const lines = [
    `const everyFile = ${JSON.stringify(await filesOf(site))};`,
    `const keptFiles = ${JSON.stringify(await filesOfPages())};`,
    await readFile(`${web}offline/service_worker.js`, 'utf8'),
  ];
  await writeFile(`${site}sw.js`, lines.join('\n'));
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => `/${relative(folder, `${parentPath}/${name}`)}`).sort();
}

/** The pages, and the scripts, styles and pictures named in them. Vite also names what a script imports. */
async function filesOfPages() {
  const paths = pages.map((page) => `/${page}.html`);
  const texts = await Promise.all(paths.map((path) => readFile(site + path, 'utf8')));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\s(?:src|href)="(\/[^"#?]*\.(?:js|css|svg))"/g)].map((match) => match[1]),
  );
  return [...new Set([...paths, ...named])];
}
