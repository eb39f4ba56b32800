// npm run bench:tables [-- --out FOLDER]
// Writes what documents the runs in bench/results: all tables into bench/results/README.md, each where a comment names
// its run, some rows into docs/benchmarks.md with a chart, and speeds into docs/devices.md. Into FOLDER, if it is
// given, instead of the repository.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { chart, overview, speeds } from './harness/overview.mjs';
import { readRun, report } from './harness/report.mjs';

const ROOT = join(import.meta.dirname, '..');
const RUN = /<!-- results: (.+) -->\n[^]*?<!-- end of results -->/g;

/** The text of a page with a table between two comments. */
const withTable = (file, name, table) =>
  textOf(file).replace(
    new RegExp(`(<!-- ${name} -->)\\n[^]*?(<!-- end of ${name} -->)`),
    (_, begin, end) => `${begin}\n\n${table}\n\n${end}`,
  );

const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');

const withTables = (page) =>
  page.replace(RUN, (_, name, offset) => {
    const tables = report(readRun(name), levelAt(page, offset));
    return `<!-- results: ${name} -->\n\n${tables}\n\n<!-- end of results -->`;
  });

/** The level for headings below the last one before a place of the page. */
function levelAt(page, offset) {
  const headings = page
    .slice(0, offset)
    .replace(RUN, '')
    .match(/^#+(?= )/gm);
  return headings.at(-1).length + 1;
}

const { values } = parseArgs({ options: { out: { type: 'string', default: ROOT } } });
const pages = {
  'bench/results/README.md': withTables(textOf('bench/results/README.md')),
  'docs/benchmarks.md': withTable('docs/benchmarks.md', 'overview', overview()),
  'docs/devices.md': withTable('docs/devices.md', 'speeds', speeds()),
  'docs/images/benchmarks.svg': chart(),
};
for (const [file, text] of Object.entries(pages)) {
  mkdirSync(dirname(join(values.out, file)), { recursive: true });
  writeFileSync(join(values.out, file), text);
}
