// quintet site: the command. What a build does is tested in tests/npm/site/build.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expectRefusal, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();

beforeAll(() => {
  mkdirSync(scratch('site'));
  writeFileSync(scratch('site/index.html'), '<html lang="en"><title>Start</title><main><p>Welcome.</p></main>');
  writeFileSync(scratch('site/zebra.html'), '<title>Zebra\x1b[31m</title><main><p>It has stripes.</p></main>');
  writeFileSync(scratch('site/draft.html'), '<meta name="robots" content="noindex"><main><p>Not yet.</p></main>');
});

test('writes into the folder search of the site, and reports what was done', async () => {
  const { stdout } = await quintet(['site', scratch('site'), '--cache', scratch('cache')]);
  expect(stdout).toMatch(/pages +2 in 2 sections and 2 passages\n/);
  expect(stdout).toMatch(/languages +en 2\n/);
  expect(stdout).toMatch(/meaning +quintet-models\/words\n/);
  expect(stdout).toContain('left out:\n  draft.html: asks not to be indexed\n');
  expect(existsSync(scratch('site/search/quintet-site.json'))).toBe(true);
  expect(existsSync(scratch('cache/pages'))).toBe(true);
});

test('--json, --out, --lang, --no-model and --no-cache', async () => {
  const out = scratch('found');
  const [report] = await quintetJson([
    'site',
    scratch('site'),
    '--out',
    out,
    '--lang',
    'de',
    '--no-model',
    '--no-cache',
  ]);
  expect(report).toMatchObject({
    out,
    pages: 2,
    unchangedPages: 0,
    leftOut: [{ url: 'draft.html', reason: 'asks not to be indexed' }],
  });
  expect(report).not.toHaveProperty('model');
  expect(report.languages.map(({ lang }) => lang).sort()).toEqual(['de', 'en']);
  const { languages } = JSON.parse(readFileSync(`${out}/quintet-site.json`, 'utf8'));
  expect(languages.map(({ lang }) => lang).sort()).toEqual(['de', 'en']);
});

test.each([
  [['site'], /DIR/],
  [['site', 'nowhere'], /nowhere/],
  [['site', '.', '--cache', 'x', '--no-cache'], /exclude each other/],
  [['site', '.', '--lang', 'English!'], /lang/],
  [['site', '.', '--watch'], /unknown option/],
])('%j is rejected', async (args, message) => expectRefusal(await quintet(args), message));
