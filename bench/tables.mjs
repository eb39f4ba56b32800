// npm run bench:tables [-- --out FILE]
// Writes the tables of docs/benchmarks.md from bench/results: each stands where a comment names its run. FILE may be - for
// stdout.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { readRun, report } from './harness/report.mjs';

const PAGE = join(import.meta.dirname, '../docs/benchmarks.md');
const MARKS = /<!-- results: (.+) -->\n[^]*?<!-- end of results -->/g;

const withTables = (page) =>
  page.replace(MARKS, (_, name, offset) => {
    const tables = report(readRun(name), levelAt(page, offset));
    return `<!-- results: ${name} -->\n\n${tables}\n\n<!-- end of results -->`;
  });

/** The level for headings below the last one before a place of the page. */
function levelAt(page, offset) {
  const headings = page
    .slice(0, offset)
    .replace(MARKS, '')
    .match(/^#+(?= )/gm);
  return headings.at(-1).length + 1;
}

const { values } = parseArgs({ options: { out: { type: 'string', default: PAGE } } });
const text = withTables(readFileSync(PAGE, 'utf8'));
if (values.out === '-') process.stdout.write(text);
else writeFileSync(values.out, text);
