// The pages about benchmarks have the figures of the runs in bench/results.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report, runNames, tableOf } from '../../bench/harness/report.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (folder, file) => readFileSync(join(folder, file), 'utf8');
const page = textOf(root, 'bench/results/README.md');

describe('tables are those that bench/tables.mjs writes', () => {
  let folder;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quintet-tables-'));
    execFileSync(process.execPath, [`${root}bench/tables.mjs`, '--out', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(['bench/results/README.md', 'docs/benchmarks.md', 'docs/devices.md', 'docs/images/benchmarks.svg'])(
    'is %s',
    (file) => {
      expect(textOf(folder, file)).toBe(textOf(root, file));
    },
  );
});

test('the overview has figures of the runs', () => {
  const rows = textOf(root, 'docs/benchmarks.md').match(/^\|.*$/gm);
  // From bench/results/README.md, "Small models" and "Chromium: milliseconds".
  expect(rows).toContainEqual(
    expect.stringMatching(/Qwen3 0\.6B.*answer +\| 34\.5 tokens\/s +\| 5\.91 tokens\/s .* 5\.8 x/),
  );
  expect(rows).toContainEqual(
    expect.stringMatching(/MiniLM, int8: a text of 128 .*\| 46\.3 ms +\| 81\.9 ms .* 1\.8 x/),
  );
});

test('the page of all tables names every run, each once', () => {
  const names = [...page.matchAll(/<!-- results: (.+) -->/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(runNames().toSorted());
});

test('a table has the columns that are filled, and a run counts the targets that were reached', () => {
  const lines = [
    { what: 'a', quintet: '1.00', ratio: 1.234, target: '>= 1', met: true },
    { what: 'bcd', quintet: '10.0', target: '>= 20', met: false },
    { what: 'e', quintet: '2.00' },
  ];
  const machine = {
    date: '2026-11-27',
    processor: 'Some CPU',
    cores: 2,
    vnni: true,
    load: 0.5,
    node: 'v24.0.0',
    peers: { other: '1.2.3' },
  };
  expect(report({ command: 'npm run bench -- a', machine, tables: [tableOf({ title: 'Some', lines })] }, 4)).toBe(
    [
      'From `npm run bench -- a`:',
      '',
      '- 2026-11-27, Some CPU, 2 cores; AVX-VNNI: yes',
      '- load of the machine before the run: 0.50',
      '- Node v24.0.0',
      '- other 1.2.3',
      '',
      '#### Some',
      '',
      '| what | quintet | ratio  | target | result |',
      '| ---- | ------- | ------ | ------ | ------ |',
      '| a    | 1.00    | 1.23 x | >= 1   | pass   |',
      '| bcd  | 10.0    |        | >= 20  | below  |',
      '| e    | 2.00    |        |        |        |',
      '',
      '1 of 2 targets reached.',
    ].join('\n'),
  );
});
