// Remembers the inputs of a build step, to skip it if nothing has changed.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { root } from './paths.mjs';

const stampOf = (step) => `${root}build/${step}.stamp`;

/** A digest of files, and of folders with everything in them: the same wherever the repository lies. */
export async function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of (await Promise.all(paths.map(filesIn))).flat()) {
    hash.update(`${path.replace(root, '')}\0`).update(await readFile(path));
  }
  return hash.digest('hex');
}

async function filesIn(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}

/** True where `step` was last made from the same inputs and its output is still there. */
export async function isCurrent(step, inputs, output) {
  if (!existsSync(output) || !existsSync(stampOf(step))) return false;
  return (await readFile(stampOf(step), 'utf8')) === inputs;
}

export const remember = (step, inputs) => writeFile(stampOf(step), inputs);
