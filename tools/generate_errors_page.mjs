#!/usr/bin/env node
// Writes the tables of docs/errors.md from the comments of npm/src/base/errors.ts and fallbacks.ts; the text around
// them stays.
//
//   node tools/generate_errors_page.mjs [--out FILE]      FILE may be - for stdout

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readErrorList, readFallbackList } from './errors/error_list.mjs';

const begin = (source) =>
  `<!-- Generated from npm/src/base/${source} by tools/generate_errors_page.mjs: edit the comments there. -->`;
const END = '<!-- End of what is generated. -->';

const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const code = (name) => `\`${name}\``;

function errorTables({ codes, reasons }) {
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

const fallbackTable = (fallbacks) =>
  table(
    ['Code', 'What happened', 'What is done instead'],
    fallbacks.map(({ name, happened, instead }) => [code(name), happened, instead]),
  );

/** The page with these tables between the marks of their source. */
function withTables(page, source, tables) {
  const mark = begin(source);
  const [before, rest, ...more] = page.split(`${mark}\n`);
  const end = rest?.indexOf(`\n${END}`) ?? -1;
  if (end < 0 || more.length > 0) throw new Error(`docs/errors.md: the marks of ${source} are not there once each`);
  return `${before}${mark}\n\n${tables}\n\n${rest.slice(end + 1)}`;
}

const page = fileURLToPath(new URL('../docs/errors.md', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: page } } });
const withErrors = withTables(readFileSync(page, 'utf8'), 'errors.ts', errorTables(readErrorList()));
const text = withTables(withErrors, 'fallbacks.ts', fallbackTable(readFallbackList()));
if (values.out === '-') process.stdout.write(text);
else writeFileSync(values.out, text);
