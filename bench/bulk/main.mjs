// npm run bench -- bulk [--quick] [--json] [--passages N] [--memory LINES]
// examples/bulk-embedding: two workers beside one, and a worker beside the same work without a queue, in Node 24. With --memory, peak
// memory of producer and collector for a hundredth, a tenth, and all of so many lines.
import { parseArgs } from 'node:util';

import { writeRepeatedCorpus } from '../../examples/bulk-embedding/src/repeated_corpus.mjs';
import { corpus as bundledCorpus } from '../../models/index.js';
import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { memoryChecks, throughputChecks } from './checks.mjs';
import { measureMemory } from './memory.mjs';
import { direct, queued } from './runs.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    passages: { type: 'string' },
    memory: { type: 'string' },
  },
});

const machine = await describeMachine([]);
const checks = options.memory === undefined ? await throughput() : await memory(Number(options.memory));
console.log(options.json ? JSON.stringify({ machine, checks }, null, 1) : report(machine, checks));

async function throughput() {
  const passages = Number(options.passages ?? (options.quick ? 2048 : 5120));
  const writeCorpus = (path) => writeRepeatedCorpus(path, bundledCorpus, passages);
  const rounds = { direct: [], one: [], two: [] };
  // In turn: what else runs on the machine comes and goes.
  for (let round = 1; round <= (options.quick ? 2 : 4); ++round) {
    rounds.direct.push(await direct(writeCorpus));
    rounds.one.push(await queued(writeCorpus, 1));
    rounds.two.push(await queued(writeCorpus, 2));
    log(`round ${round}: ${Object.entries(rounds).map(([way, runs]) => `${way} ${runs.at(-1).seconds.toFixed(2)} s`).join(', ')}`);
  }
  return throughputChecks(rounds, passages);
}

async function memory(lines) {
  const sizes = [];
  for (const part of [100, 10, 1]) {
    sizes.push(await measureMemory(Math.round(lines / part), 2));
    log(JSON.stringify(sizes.at(-1)));
  }
  return memoryChecks(sizes);
}

function log(text) {
  process.stderr.write(`${text}\n`);
}
