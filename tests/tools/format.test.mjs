// Everything is formatted: C++ according to .clang-format, TypeScript, JavaScript, CSS, JSON and Markdown according to
// biome.jsonc.
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('clang-format changes nothing', () => {
  const files = execFileSync('git', ['ls-files', '*.cc', '*.h'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(files.length).toBeGreaterThan(100);
  const { status, stderr } = spawnSync('clang-format-19', ['--dry-run', '--Werror', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('Biome finds nothing; `npm run format` fixes what it can', () => {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/biome', ['check', '--error-on-warnings'], {
    cwd: root,
    encoding: 'utf8',
  });
  // It writes to stdout or stderr, depending on its output.
  expect(stdout + stderr).toMatch(/^Checked \d+ files in .*\. No fixes applied\.\n$/);
  expect(status).toBe(0);
});
