// The lists that stand where a bundler or a reader looks for them name the same features as npm/features.mjs.
import { readFileSync } from 'node:fs';
import { features, workerOf, workers } from '../../npm/features.mjs';
import { engines, singleModules } from '../../tools/build/modules.mjs';
import { root } from './packed.mjs';

const read = (path) => readFileSync(root + path, 'utf8');
const names = Object.keys(workers).sort();
const matches = (path, pattern) => [...new Set(Array.from(read(path).matchAll(pattern), ([, name]) => name))].sort();

test.each([
  ['package.json', /"\.\/(\w+)\.js": "\.\/dist\/\1\.js"/g],
  ['npm/src/platform/threads.ts', /^ {2}\| '(\w+)'/gm],
  ['npm/src/platform/browser/threads.ts', /new Worker\(new URL\('\.\/(\w+)\.js'/g],
])('%s has every worker', (path, pattern) => {
  expect(matches(path, pattern)).toEqual(names);
});

test.each(['docs/bundlers.md', 'npm/src/cli/assets/asset_files.ts'])('%s names every worker', (path) => {
  expect(matches(path, /\b((?!service)\w+_worker|compute_thread)\.js/g)).toEqual(names);
});

test.each(features)('$names: index.ts exports them, and they have a page of the documentation', (row) => {
  const index = read('npm/src/index.ts');
  const bundlers = read('docs/bundlers.md');
  for (const name of row.names) {
    expect(index).toMatch(new RegExp(`export \\{[^}]*\\b${name}\\b[^}]*\\} from './${row.folder}/`));
    expect(bundlers).toMatch(new RegExp(`\`${name}\`[^|]*\\| \`${row.use}\` \\|`));
  }
});

test.each(features)('$names: its folder names its worker, and its module is built', (row) => {
  const worker = workerOf(row);
  if (worker) expect(read(`npm/src/${row.folder}/client.ts`)).toContain(`script: '${worker.name}'`);
  expect([...engines, ...singleModules]).toContain(row.module);
});

test('sizes.md has a row for each page whose size is limited', () => {
  const documented = matches('docs/sizes.md', /^\| ([^|]+) \|/gm);
  for (const { page } of features) if (page) expect(documented).toContain(page.does);
});
