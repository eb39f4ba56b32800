// docs/benchmarks.md has the tables of the runs in bench/results.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { report, runNames, tableOf } from '../../bench/harness/report.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/benchmarks.md`, 'utf8');

test('the page is what bench/tables.mjs writes', () => {
  const written = execFileSync(process.execPath, [`${root}bench/tables.mjs`, '--out', '-'], { encoding: 'utf8' });
  expect(written).toBe(page);
});

test('it names every run, each once', () => {
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
