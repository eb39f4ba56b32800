// The runs that are kept, in bench/results: a file for a subject (or a part of it) and a machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../results');
const fileOf = (name) => join(FOLDER, `${name}.json`);

/** `options`: those that chose a part of the subject, by name. */
export function resultName(subject, options, { processor }) {
  const parts = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [name] : value ? [name, value] : [],
  );
  return [subject, ...parts, processor]
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** A run: { command, note, machine, tables, measured }. */
export const readRun = (name) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

export function writeRun(name, run) {
  writeFileSync(fileOf(name), format(run));
  return fileOf(name);
}

/** With every row of a table on a line, so that changes can be read. */
function format({ tables, ...run }) {
  const text = JSON.stringify({ ...run, tables: [] }, null, 1);
  const formatted = tables.map(({ title, columns, rows }) => {
    const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
    return `  {\n   "title": ${JSON.stringify(title)},\n   "columns": ${JSON.stringify(columns)},\n   "rows": [\n${lines}\n   ]\n  }`;
  });
  return `${text.replace(/"tables": \[\]\n\}$/, () => `"tables": [\n${formatted.join(',\n')}\n ]\n}`)}\n`;
}
