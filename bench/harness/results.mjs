// The runs that are kept, in bench/results: a file for a subject (or a part of it) and a machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../results');
const fileOf = (name) => join(FOLDER, `${name}.json`);

/** `options`: those that chose a part of the subject, by name. Processors with AVX-VNNI are machines of another kind. */
export function resultName(subject, options, { processor, vnni }) {
  const parts = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [name] : [name, value];
  });
  const words = [subject, ...parts, processor, vnni ? 'vnni' : '']
    .join(' ')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words.join('-');
}

/** A run: { command, note, machine, tables, measured }. */
export const readRun = (name) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

export function writeRun(name, run) {
  writeFileSync(fileOf(name), format(run));
  return fileOf(name);
}

/** With a list of texts or numbers on a line, as rows of tables are. JSON has no line breaks inside of texts. */
function format(run) {
  const text = JSON.stringify(run, null, 1);
  return `${text.replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/\n\s*/g, ' ').replace('[ ', '[').replace(/ \]$/, ']'))}\n`;
}
