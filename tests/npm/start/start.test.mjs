import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sideBySide } from '../../../npm/start/picture_blocks.mjs';

test('the demonstration of npm start ends by itself and shows its results', () => {
  const main = fileURLToPath(new URL('../../../npm/start/main.mjs', import.meta.url));
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/engine: (baseline|relaxed) WebAssembly/);
  expect(stdout).toMatch(/Indexed 461 passages in \d/);
  expect(stdout).toMatch(/The best hit is the expected one for 1[2-9] of 20 questions/);
  expect(stdout).toMatch(/Indexed the [4-9]\d pages of docs\/ in \d/);
  expect(stdout).toMatch(/^KV cache in Python .+\n {2}.+ kv-cache\.html$/m);
  expect(stdout).toMatch(/^structrued output .+\n {2}.+ structured_output\.html$/m);
  expect(stdout).toMatch(/^ {2}cat\.jpg +Egyptian cat 0\.9\d, [\w ]+ 0\.0\d +\d+\.\d ms$/m);
  expect(stdout).toMatch(/^ {2}parrot\.jpg +macaw [01]\.\d\d, /m);
  expect(stdout).toMatch(/Each is one of 1000 things/);
  const [, sheet] = /The photographs with their labels: (.+)/.exec(stdout);
  const page = readFileSync(new URL(`../../../${sheet}`, import.meta.url), 'utf8');
  expect(page.match(/<img src="data:image\/jpeg;base64,\/9j\//g)).toHaveLength(7);
  expect(page).not.toMatch(/https?:/);
  // Not a terminal: no colors, no lines that replace themselves, and none that are too long.
  expect(stdout).not.toMatch(/[\x1b\r]/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(140);
});

test('pictures become blocks of two pixels a character, next to their captions', async () => {
  const plain = (text) => text;
  const cell = (name) => ({
    bytes: readFileSync(new URL(`../../fixtures/cifar10/drawings/${name}.png`, import.meta.url)),
    captions: [{ text: name, style: plain }],
  });
  const lines = (await sideBySide([cell('frog'), cell('ship')])).split('\n');
  expect(lines).toHaveLength(24 / 2 + 1);
  const colours = /\x1b\[38;2;(\d+);(\d+);(\d+);48;2;(\d+);(\d+);(\d+)m▀/g;
  for (const line of lines.slice(0, -1)) {
    expect(line.match(colours)).toHaveLength(48);
    expect(line).toMatch(/\x1b\[0m$/);
    expect(line.replace(colours, '#').replaceAll('\x1b[0m', '')).toBe(`${'#'.repeat(24)}  ${'#'.repeat(24)}`);
  }
  expect(lines.at(-1)).toBe(`${'frog'.padEnd(24)}  ${'ship'.padEnd(24)}`);
  // The frog is green in the middle of its forehead, and sits on brown earth.
  const middle = [...lines[5].matchAll(colours)][12].slice(1, 4).map(Number);
  expect(middle[1]).toBeGreaterThan(middle[0] * 1.2);
  expect(middle[1]).toBeGreaterThan(middle[2] * 1.5);
});
