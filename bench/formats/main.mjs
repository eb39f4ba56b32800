// npm run bench -- formats [--quick] [--json]
// Model files: inspected, read into memory, converted. docs/benchmarks.md tells what is measured, and how.
import { parseArgs } from 'node:util';

import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { checksOf } from './checks.mjs';
import { measureConversions } from './measurements/conversion.mjs';
import { measureInspection } from './measurements/inspection.mjs';
import { measureReading } from './measurements/reading.mjs';
import { prepareModels } from './model/prepare.mjs';

const PACE = {
  full: { rounds: 15, inspection: { processes: 7, repetitions: 50 }, conversions: 3 },
  quick: { rounds: 5, inspection: { processes: 3, repetitions: 20 }, conversions: 1 },
};

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const pace = options.quick ? PACE.quick : PACE.full;

const machine = await describeMachine(['@huggingface/gguf']);
await prepareModels();
log('inspect');
const inspection = await measureInspection(pace.inspection);
log('read');
const reading = await measureReading(pace.rounds);
log('convert');
const conversions = await measureConversions(pace.conversions);

const results = { inspection, reading, conversions };
const checks = checksOf(results);
console.log(
  options.json ? JSON.stringify({ machine, results, checks }, null, 1) : report(machine, checks),
);

function log(text) {
  process.stderr.write(`${text}\n`);
}
