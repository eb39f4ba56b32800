// Modules of npm/src as they stand there, for tests that need no build: esbuild removes the types and bundles their
// imports.
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { optionOwners } from '../../../npm/features.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const kernels = ['search-kernels', 'late-interaction', 'late-interaction-relaxed'];

/** The exports of a file of npm/src, such as 'base/json.ts', in Node. */
export function importSource(path) {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [`npm/src/${path}`],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    alias: Object.fromEntries(kernels.map((name) => [`quintet-${name}`, './tests/npm/helpers/no_kernels.mjs'])),
    define: { optionOwners: JSON.stringify(optionOwners()) },
    logLevel: 'silent',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
