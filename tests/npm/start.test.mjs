import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

test('the demonstration of npm start ends by itself and shows what it found', () => {
  const main = fileURLToPath(new URL('../../npm/start/main.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/engine: (baseline|relaxed) WebAssembly/);
  expect(stdout).toMatch(/Indexed 461 passages, \d+ tokens, in \d/);
  expect(stdout).toMatch(/The best hit is the expected one for 1\d of 20 questions/);
  // Not a terminal: no colours, no lines that replace themselves, none that is too long.
  expect(stdout).not.toMatch(/[\x1b\r]/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(140);
});
