// The lists that stand where a bundler or a reader looks for them name the same features as npm/features.mjs.
import { readFileSync } from 'node:fs';
import { features, workerOf, workers } from '../../npm/features.mjs';
import { engines, singleModules } from '../../tools/build/modules.mjs';
import { root } from './packed.mjs';

// Columns of tables are padded.
const read = (path) => readFileSync(root + path, 'utf8').replaceAll(/ +/g, ' ');

test('docs/bundlers.md names every worker', () => {
  const named = Array.from(
    read('docs/bundlers.md').matchAll(/\b((?!service)\w+_worker|compute_thread)\.js/g),
    ([, name]) => name,
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(workers).sort());
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
  for (const { page } of features) if (page) expect(read('docs/sizes.md')).toContain(`\n| ${page.does} |`);
});
