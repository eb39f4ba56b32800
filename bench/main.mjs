// npm run bench -- [SUBJECT [--quick] [--json] [--save] [options of the subject]]
// Runs a subject and prints its tables, or all subjects one after another. --save keeps the run in bench/results.
//
// A subject exports
// - `peers`, names of packages whose versions are noted, and `chromium`, if it takes part,
// - `options`, as parseArgs has them, with the `choices` of a name,
// - `paces`: { full, quick }, how much is measured,
// - `measure({ pace, quick, options })`, which gives all figures,
// - `sections(measured, { pace, options })`: [{ title, lines }], lines as harness/lines.mjs makes them.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { describeMachine } from './harness/machine.mjs';
import { keepRun, report, tableOf } from './harness/report.mjs';

const SUBJECTS = readdirSync(join(import.meta.dirname, 'subjects')).map((file) => file.replace('.mjs', ''));
const FLAG = { type: 'boolean', default: false };
const COMMON = { quick: FLAG, json: FLAG, save: FLAG };

const [name, ...args] = process.argv.slice(2);
if (name === undefined) runAll();
else if (SUBJECTS.includes(name)) await runSubject(name, args);
else fail(`no subject '${name}'; there are ${SUBJECTS.join(', ')}`);

/** Each runs in its own process: one that fails does not stop the others. */
function runAll() {
  for (const subject of SUBJECTS) {
    const { status } = spawnSync(process.execPath, [import.meta.filename, subject], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

async function runSubject(name, args) {
  const subject = await import(`./subjects/${name}.mjs`);
  const { quick, json, save, ...options } = parse(args, subject.options ?? {});
  const settings = { pace: quick ? subject.paces.quick : subject.paces.full, quick, options };
  const machine = await describeMachine(subject);
  const measured = await subject.measure(settings);
  const tables = subject.sections(measured, settings).map(tableOf);
  const command = ['npm run bench --', name, ...args.filter((arg) => !['--save', '--json'].includes(arg))].join(' ');
  const run = { command, machine, tables, measured };
  if (save) console.error(`written: ${keepRun(run, name, options)}`);
  console.log(json ? JSON.stringify(run, null, 1) : report(run));
}

function parse(args, own) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: { ...COMMON, ...own } }));
  } catch (error) {
    fail(error.message);
  }
  for (const [option, { choices }] of Object.entries(own)) {
    const value = values[option];
    if (choices && value !== undefined && !choices.includes(value))
      fail(`no ${option} '${value}'; there are ${choices.join(', ')}`);
  }
  return values;
}

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}
