// npm run bench -- grammar [--quick] [--json]
// Which tokens keep a text to a grammar: the time of a mask, in Node 24. docs/benchmarks.md tells what is measured, and how.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { describeMachine } from '../shared/machine.mjs';
import { NODE_24 } from '../shared/paths.mjs';
import { report } from '../shared/report.mjs';
import { checksOf } from './checks.mjs';
import { FORMS } from './forms.mjs';

const REPETITIONS = { full: 10, quick: 4 };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const repetitions = options.quick ? REPETITIONS.quick : REPETITIONS.full;

const machine = await describeMachine([]);
const results = Object.keys(FORMS).map(measure);
const checks = checksOf(results);
console.log(options.json ? JSON.stringify({ machine, results, checks }, null, 1) : report(machine, checks));

/** In a process of its own, so that the first use finds no compiled code. */
function measure(form) {
  process.stderr.write(`${form}\n`);
  const path = join(import.meta.dirname, 'hosts/masks.mjs');
  return JSON.parse(execFileSync(NODE_24, [path, form, String(repetitions)], { encoding: 'utf8' }));
}
