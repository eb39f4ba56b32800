#!/usr/bin/env node
// Writes the tables of docs/errors.md from the comments of npm/src/base/errors.ts; the text around them stays.
//
//   node tools/generate_errors_page.mjs [--out FILE]      FILE may be - for stdout

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readErrorList } from './errors/error_list.mjs';

const BEGIN = '<!-- Generated from npm/src/base/errors.ts by tools/generate_errors_page.mjs: edit the comments there. -->';
const END = '<!-- End of what is generated. -->';

const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const code = (name) => `\`${name}\``;

function tables({ codes, reasons }) {
  const rank = (reason) => codes.findIndex(({ name }) => name === reason.codes[0]);
  const ordered = reasons.toSorted((a, b) => rank(a) - rank(b));
  return [
    table(
      ['Code', 'What happened', 'What to do'],
      codes.map(({ name, happened, remedy }) => [code(name), happened, remedy]),
    ),
    table(
      ['Reason', 'With', 'What happened', 'What to do'],
      ordered.map((reason) => [code(reason.name), reason.codes.map(code).join(', '), reason.happened, reason.remedy]),
    ),
  ].join('\n\n');
}

function withTables(page, list) {
  const [before, rest, ...more] = page.split(`${BEGIN}\n`);
  const [, after, ...others] = rest?.split(`\n${END}`) ?? [];
  if (after === undefined || more.length > 0 || others.length > 0) throw new Error('docs/errors.md: the marks are not there once each');
  return `${before}${BEGIN}\n\n${tables(list)}\n\n${END}${after}`;
}

const page = fileURLToPath(new URL('../docs/errors.md', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: page } } });
const text = withTables(readFileSync(page, 'utf8'), readErrorList());
if (values.out === '-') process.stdout.write(text);
else writeFileSync(values.out, text);
