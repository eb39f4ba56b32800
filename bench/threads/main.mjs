// npm run bench -- threads [--quick] [--json] [--threads N]
// quintet in several threads beside itself in one, and beside onnxruntime-web in as many: the work of the other benchmarks, in
// Node 24. docs/benchmarks.md tells what is measured, and how.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { checksOf } from './checks.mjs';
import { measureDecoder, measureEmbedder, measureNetworks } from './jobs.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
});
const threads = Number(options.threads);
const settings = { threads, pace: options.quick ? 'quick' : 'full', log: (text) => process.stderr.write(`${text}\n`) };

const machine = await describeMachine(['onnxruntime-web']);
const jobs = [...(await measureEmbedder(settings)), ...(await measureNetworks(settings)), ...(await measureDecoder(settings))];
const checks = checksOf(jobs, threads);
console.log(options.json ? JSON.stringify({ machine, jobs, checks }, null, 1) : report(machine, checks));
