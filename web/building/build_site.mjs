import { build } from 'vite';
import { exclusively } from '../../tools/build/lock.mjs';
import { dist, root } from '../../tools/build/paths.mjs';
import { fingerprint, isCurrent, remember } from '../../tools/build/stamp.mjs';
import { mustRun } from '../../tools/process.mjs';
import { buildBook } from './book_pages.mjs';
import { buildBundledIndex } from './bundled_index.mjs';
import { makeComparison } from './comparison.mjs';
import { compressFolder } from './compress.mjs';
import { buildDocumentation } from './documentation.mjs';
import { pages } from './pages.mjs';
import { base, isForPlainHost, site, web } from './paths.mjs';
import { manifest } from './repository.mjs';
import { writeServiceWorker } from './service_worker.mjs';

const sources = [
  ...['web/models', 'bench/models/encoder', 'bench/models/resnet', 'bench/models/files'].map((path) => root + path),
  ...[
    'src',
    'styles',
    'docs',
    'book',
    'public',
    'offline',
    'building',
    'vite.config.mjs',
    'tsconfig.json',
    'package-lock.json',
  ].map((path) => web + path),
  ...pages.map(({ name }) => `${web}${name}.html`),
  ...['docs', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((path) => root + path),
  ...[dist, `${root}models`, `${root}tests/fixtures/cifar10`, `${root}package-lock.json`, manifest],
];

/** Builds the pages into build/web/site, with the package from dist/. Does nothing if nothing has changed. */
export function buildSite() {
  return exclusively(async () => {
    const inputs = `${await fingerprint(sources)}${isForPlainHost ? ` at ${base}` : ''}`;
    if (await isCurrent('web', inputs, `${site}index.html`)) return;
    await buildBundledIndex();
    await makeComparison();
    await mustRun(`${root}node_modules/.bin/tsc`, ['-p', `${web}tsconfig.json`]);
    await build({ configFile: `${web}vite.config.mjs` });
    await buildDocumentation();
    await buildBook();
    await writeServiceWorker();
    await compressFolder(site);
    await remember('web', inputs);
  });
}
