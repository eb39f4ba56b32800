// The includes between C++ files, and the rules of the layers.
import { readdirSync, readFileSync } from 'node:fs';
import { findCycle } from './cycle.mjs';

/** Folders of src/ (and bindings/) by level: includes only go to a lower level or stay in the folder. */
export const levels = {
  base: 0,
  tensor: 1,
  tokenizers: 1,
  image: 1,
  formats: 2,
  grammar: 2,
  kernels: 2,
  architectures: 3,
  models: 4,
  runtime: 5,
  bindings: 6,
};

/**
 * Files as { path: text }; paths are as includes spell them: `base/result.h`, `bindings/embedder.cc`.
 * @returns {Record<string, string>}
 */
export function readSources(root) {
  const files = {};
  for (const [folder, prefix] of [
    ['src', ''],
    ['bindings', 'bindings/'],
  ]) {
    for (const entry of readdirSync(root + folder, { recursive: true })) {
      if (/\.(h|cc)$/.test(entry)) files[prefix + entry] = readFileSync(`${root}${folder}/${entry}`, 'utf8');
    }
  }
  return files;
}

const includesOf = (text) => [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"]+)"/gm)].map((match) => match[1]);
const folderOf = (path) => path.split('/')[0];

/** One sentence per include that the layers forbid. */
export function violations(files) {
  const found = [];
  for (const [path, text] of Object.entries(files)) {
    const level = levels[folderOf(path)];
    if (level === undefined) found.push(`${path}: '${folderOf(path)}' is no layer`);
    for (const included of includesOf(text)) {
      if (!(included in files)) {
        found.push(`${path}: no file "${included}" (paths start at src/)`);
      } else if (folderOf(included) !== folderOf(path) && !(levels[folderOf(included)] < level)) {
        found.push(`${path}: includes "${included}", which is not below '${folderOf(path)}'`);
      }
    }
  }
  const graph = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, includesOf(text)]));
  const cycle = findCycle(graph);
  if (cycle) found.push(`includes in a circle: ${cycle.join(' -> ')}`);
  return found;
}
