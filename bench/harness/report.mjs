// A run, { command, machine, tables, note, measured }: as Markdown, whose tables are also aligned for a terminal, and
// kept in bench/results, in a file for a subject and a machine, which has runs by the parts of the subject.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cells of a line. */
const COLUMNS = {
  what: ({ what }) => what,
  quintet: ({ quintet = '' }) => quintet,
  peer: ({ peer = '' }) => peer,
  ratio: ({ ratio }) => (ratio === undefined ? '' : `${ratio.toFixed(2)} x`),
  target: ({ target = '' }) => target,
  result: ({ met }) => (met === undefined ? '' : met ? 'pass' : 'below'),
};

/** { title, columns, rows } of texts, with the columns that some line fills. */
export function tableOf({ title, lines }) {
  const columns = Object.keys(COLUMNS).filter((name) => lines.some((line) => COLUMNS[name](line) !== ''));
  return { title, columns, rows: lines.map((line) => columns.map((name) => COLUMNS[name](line))) };
}

/** `level`: of the headings of tables. */
export function report(run, level = 3) {
  return [describe(run), ...run.tables.map((table) => markdown(table, level)), ...reached(run.tables)].join('\n\n');
}

function describe({ command, machine, note }) {
  const { date, processor, cores, vnni, dotProduct, load, node, chromium, peers = {} } = machine;
  const engines = [node && `Node ${node}`, chromium].filter(Boolean).join(', ');
  const facts = [
    `${[date, processor, cores && `${cores} cores`].filter(Boolean).join(', ')}; AVX-VNNI: ${vnni ? 'yes' : 'no'}`,
    dotProduct && `relaxed dot product of bytes: ${dotProduct}`,
    load !== undefined && `load of the machine before the run: ${load.toFixed(2)}`,
    engines,
    ...Object.entries(peers).map(([name, version]) => `${name} ${version}`),
  ];
  const list = facts
    .filter(Boolean)
    .map((fact) => `- ${fact}`)
    .join('\n');
  return [`From \`${command}\`${note ? `, ${note}` : ''}:`, list].join('\n\n');
}

/** A table without a title has no heading. */
export function markdown({ title, columns, rows }, level) {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const format = (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const table = [format(columns), rule, ...rows.map(format)].join('\n');
  return title ? `${'#'.repeat(level)} ${title}\n\n${table}` : table;
}

function reached(tables) {
  const results = tables.flatMap(({ columns, rows }) => {
    const column = columns.indexOf('result');
    return column < 0 ? [] : rows.map((row) => row[column]).filter((cell) => cell !== '');
  });
  const passed = results.filter((cell) => cell === 'pass').length;
  return results.length === 0 ? [] : [`${passed} of ${results.length} targets reached.`];
}

const FOLDER = join(import.meta.dirname, '../results');
const fileOf = (name) => join(FOLDER, `${name}.json`);
/** The name for the run of a whole subject. */
const WHOLE = 'all';

/** The names of all runs that are kept, in the form that readRun expects. */
export function runNames() {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const name = file.replace('.json', '');
    return Object.keys(readRuns(name)).map((part) => (part === WHOLE ? name : `${name} ${part}`));
  });
}

/** `name`: that of the file, and, after a space, that of the part. */
export function readRun(name) {
  const [file, part = WHOLE] = name.split(' ');
  return readRuns(file)[part];
}

/** Returns the path. `options`: those that selected a part of the subject, by name. */
export function keepRun(run, subject, options) {
  const { processor, vnni } = run.machine;
  const parts = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [name] : [name, value];
  });
  // Processors with AVX-VNNI are machines of another kind.
  const name = wordsOf([subject, processor, vnni ? 'vnni' : '']);
  const runs = existsSync(fileOf(name)) ? readRuns(name) : {};
  writeFileSync(fileOf(name), format({ ...runs, [wordsOf(parts) || WHOLE]: run }));
  return fileOf(name);
}

const readRuns = (name) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

function wordsOf(texts) {
  const words = texts
    .join(' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter(Boolean).join('-');
}

/**
 * JSON with each list of texts or numbers, such as a row of a table, on one line. JSON has no line breaks inside of
 * texts.
 */
function format(runs) {
  const text = JSON.stringify(runs, null, 1);
  return `${text.replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/\n\s*/g, ' ').replace('[ ', '[').replace(/ \]$/, ']'))}\n`;
}
