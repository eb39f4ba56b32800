import { readdir, readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { pages, site, web } from './paths.mjs';

/** Writes the service worker of the built site, with the names of its files. Their digests being part of them, it changes when they do. */
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

/** The pages with the scripts, styles and pictures that they name: Vite names what a script imports as well. */
async function filesOfPages() {
  const paths = pages.map((page) => `/${page}.html`);
  const texts = await Promise.all(paths.map((path) => readFile(site + path, 'utf8')));
  const named = texts.flatMap((text) => [...text.matchAll(/\s(?:src|href)="(\/[^"#?]*\.(?:js|css|svg))"/g)].map((match) => match[1]));
  return [...new Set([...paths, ...named])];
}
