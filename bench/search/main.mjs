// npm run bench -- search [--quick] [--json]
// SearchIndex in Node 24: a million int8 vectors with one thread and with two, and keyword search.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { describeMachine } from '../shared/machine.mjs';
import { NODE_24 } from '../shared/paths.mjs';
import { report } from '../shared/report.mjs';
import { keywordChecks, vectorChecks } from './checks.mjs';

const PACE = {
  full: { vectors: 1_000_000, searches: 80, passages: 100_000 },
  quick: { vectors: 100_000, searches: 80, passages: 20_000 },
};
const DIMENSION = 384;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { vectors, searches, passages } = options.quick ? PACE.quick : PACE.full;

const machine = await describeMachine(['minisearch']);
const checks = [1, 2].flatMap((threads) => vectorChecks(measure('vectors.mjs', vectors, DIMENSION, threads, searches), vectors));
const keywords = (library) => measure('keywords.mjs', library, passages, searches);
checks.push(...keywordChecks({ quintet: keywords('quintet'), minisearch: keywords('minisearch') }, passages));
console.log(options.json ? JSON.stringify({ machine, checks }, null, 1) : report(machine, checks));

/** In a process of its own. */
function measure(script, ...args) {
  process.stderr.write(`${script} ${args.join(' ')}\n`);
  const path = join(import.meta.dirname, 'hosts', script);
  return JSON.parse(execFileSync(NODE_24, ['--expose-gc', path, ...args.map(String)], { encoding: 'utf8' }));
}
