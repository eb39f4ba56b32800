import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { extname, relative } from 'node:path';
import { site, web } from './paths.mjs';

const kinds = ['.html', '.css', '.js', '.svg', '.txt'];
/** Larger scripts are those of the library that the benchmark compares with; they are kept when they have been used. */
const mostBytes = 100_000;

/** Writes the service worker of the built site, with the names of its files. Their digests being part of them, it changes when they do. */
export async function writeServiceWorker() {
  const files = await filesOf(site);
  const lines = [
    `const everyFile = ${JSON.stringify(files.map(({ path }) => path))};`,
    `const keptFiles = ${JSON.stringify(files.filter(isKept).map(({ path }) => path))};`,
    await readFile(`${web}offline/service_worker.js`, 'utf8'),
  ];
  await writeFile(`${site}sw.js`, lines.join('\n'));
}

const isKept = ({ path, bytes }) => kinds.includes(extname(path)) && bytes < mostBytes;

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
  const files = paths.map(async (path) => ({ path: `/${relative(folder, path)}`, bytes: (await stat(path)).size }));
  return (await Promise.all(files)).sort((a, b) => (a.path < b.path ? -1 : 1));
}
