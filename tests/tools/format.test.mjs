// All C++ is formatted as .clang-format says.
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('clang-format has nothing to change', () => {
  const files = execFileSync('git', ['ls-files', '*.cc', '*.h'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(files.length).toBeGreaterThan(100);
  const { status, stderr } = spawnSync('clang-format-19', ['--dry-run', '--Werror', ...files], { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
