// Texts for users are spelled correctly: codespell knows common misspellings and has few false alarms.
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Pages, the command line with its help, public docstrings, the demo site.
const shown = ['*.md', 'npm/src/*.ts', 'npm/start/*', 'models/index.*', 'web/*.html', 'web/src/*', 'examples/*.mjs'];
/** Words of other languages. */
const foreign = ['npm/src/site/build/site_language.ts', 'npm/src/site/words/little_words.ts'];

const misspelled = (args, input) => spawnSync('codespell', args, { cwd: root, encoding: 'utf8', input });

test('codespell finds nothing', () => {
  const files = execFileSync('git', ['ls-files', '--', ...shown, ...foreign.map((file) => `:!${file}`)], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  expect(files.length).toBeGreaterThan(200);
  // ᵫ is a ligature of u and e.
  expect(misspelled(['-L', 'ue', ...files])).toMatchObject({ stdout: '', stderr: '', status: 0 });
});

test('a misspelling is found', () => {
  expect(misspelled(['-'], 'the first occurence\n').stdout).toContain('occurrence');
});
