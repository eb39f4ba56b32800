#!/usr/bin/env node
// Writes the commands and options of docs/cli.md from the tables in npm/src/cli. The text around them stays: a comment
// such as <!-- options: embed --> names the source of the block after it.
//
//   node tools/generate_cli_page.mjs [--out FILE]      FILE may be - for stdout

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCommands } from './cli_page/command_tables.mjs';
import { code, helpText, table } from './cli_page/markdown.mjs';

const { commands, common } = await readCommands();
const tables = commands.flatMap((command) => command.tables);

/** The blocks that comments of the page name. */
const blocks = {
  commands: () =>
    table(
      ['command', 'purpose'],
      commands.map(({ name, summary }) => [`[${code(name)}](#${name})`, summary]),
    ),
  'common options': () => optionTable('option', { version: { help: 'show the version' }, ...common }),
  'short options': shortOptions,
  'renamed options': () =>
    table(
      ['earlier', 'now'],
      tables.flatMap(({ name, renamed }) =>
        Object.entries(renamed).map(([old, now]) => [code(`${name} ${old}`), code(now)]),
      ),
    ),
  usage: (name) =>
    named(commands, name)
      .usage.map((form) => `    quintet ${form}`)
      .join('\n'),
  options: (name) => {
    const [group, own] = name.split(' ');
    return optionTable(own === undefined ? 'option' : `option of ${code(own)}`, named(tables, name).options, group);
  },
};

function shortOptions() {
  const places = new Map();
  for (const { name, options } of [...tables, { name: 'all', options: common }]) {
    for (const [long, { short }] of Object.entries(options)) {
      const option = short && code(`-${short}, --${long}`);
      if (option) places.set(option, [...(places.get(option) ?? []), name]);
    }
  }
  const rows = Array.from(places, ([option, names]) => [
    option,
    names.map((name) => (name === 'all' ? name : code(name))),
  ]);
  return table(
    ['option', 'commands'],
    rows.map(([option, names]) => [option, names.join(', ')]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The options without a heading first, then the others under theirs. */
function optionTable(head, options, command) {
  const headings = headingsOf(options).flatMap((heading) => rowsUnder(heading, options, command));
  return table([head, 'meaning'], [...rowsOf(undefined, options), ...headings]);
}

const headingsOf = (options) => [
  ...new Set(Object.values(options).flatMap(({ section }) => (section === undefined ? [] : [section]))),
];

function rowsUnder(heading, options, command) {
  const rows = rowsOf(heading, options);
  const home = homeOf(heading, rows);
  if (home !== command) return [[`**${heading}**`, `as for [${code(home)}](#${home})`]];
  return [[`**${heading}**`, ''], ...rows];
}

const rowsOf = (heading, options) =>
  Object.entries(options)
    .filter(([, { section }]) => section === heading)
    .map(([name, { short, value, help }]) => {
      const label = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
      return [code(label).replaceAll('|', '\\|'), helpText(help, value)];
    });

/** The command that describes these options: of those that have the same ones, the one with most headings. */
function homeOf(heading, rows) {
  const isSame = ({ options }) => JSON.stringify(rowsOf(heading, options)) === JSON.stringify(rows);
  const [first] = tables.filter(isSame).toSorted((a, b) => headingsOf(b.options).length - headingsOf(a.options).length);
  return first.name.split(' ')[0];
}

function named(list, name) {
  return list.find((each) => each.name === name) ?? fail(`there is no command '${name}'`);
}

function fail(message) {
  throw new Error(`docs/cli.md: ${message}`);
}

/** Every block, up to the next empty line, is replaced according to its comment; none is missing. */
function withBlocks(page) {
  const asked = new Set();
  const text = page.replace(/^<!-- ([a-z ]+?)(?:: ([a-z ]+))? -->\n\n(?:[| ].*\n)*/gm, (_, kind, name) => {
    const block = blocks[kind] ?? fail(`there is nothing called '${kind}'`);
    asked.add(name === undefined ? kind : `${kind}: ${name}`);
    return `<!-- ${kind}${name === undefined ? '' : `: ${name}`} -->\n\n${block(name)}\n`;
  });
  const needed = [
    ...['commands', 'common options', 'short options', 'renamed options'],
    ...commands.map(({ name }) => `usage: ${name}`),
    ...tables.map(({ name }) => `options: ${name}`),
  ];
  const missing = needed.filter((each) => !asked.has(each));
  return missing.length > 0 ? fail(`<!-- ${missing.join(' -->, <!-- ')} --> is missing`) : text;
}

const page = fileURLToPath(new URL('../docs/cli.md', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: page } } });
const text = withBlocks(readFileSync(page, 'utf8'));
if (values.out === '-') process.stdout.write(text);
else writeFileSync(values.out, text);
