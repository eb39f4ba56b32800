// The type declarations of the package: those that users can reach, and nothing internal.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';

const imports = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g;

/** Removes from `dist` what no entry imports, and declares the scripts of workers, which export nothing. */
export async function packageDeclarations(dist, entries, workers) {
  const declared = (await readdir(dist, { recursive: true })).filter((path) => path.endsWith('.d.ts'));
  const reached = new Set(entries);
  for (const path of reached) {
    const text = await readFile(dist + path, 'utf8');
    for (const [, imported] of text.matchAll(imports)) reached.add(posix.join(posix.dirname(path), `${imported}.d.ts`));
  }
  await Promise.all(declared.filter((path) => !reached.has(path)).map((path) => rm(dist + path)));
  await Promise.all(workers.map((name) => writeFile(`${dist}${name}.d.ts`, 'export {};\n')));
}
