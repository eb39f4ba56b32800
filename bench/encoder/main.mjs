// npm run bench -- encoder [--quick] [--json] [--only NAME] [--job NAME]
// quintet beside onnxruntime-web, with the same weights and the same token ids, in one thread of Node 24: embedders of two
// sizes, and a reranker with 100 pairs. The figures are processor time, which tells more than a clock on a busy machine.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openInNode } from '../shared/hosts/node_host.mjs';
import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { median } from '../shared/statistics.mjs';
import { makeJobs } from './jobs.mjs';
import { prepareModel } from './prepare.mjs';
import { PADDED_JOBS, SHAPES, TARGETS } from './shapes.mjs';

const LIBRARIES = ['quintet', 'onnxruntime-web'];
const PRECISIONS = ['fp32', 'int8'];
/** How near the answers of both are. */
const LEAST_COSINE = { fp32: 0.99999, int8: 0.97 };
const LARGEST_ERROR = { fp32: 1e-3, int8: 0.5 };

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' }, job: { type: 'string' } },
});
const { rounds, slice } = options.quick ? { rounds: 2, slice: 300 } : { rounds: 5, slice: 1500 };

const machine = await describeMachine(['onnxruntime-web']);
const jobs = await makeJobs();
const results = [];
for (const row of SHAPES.filter(({ name }) => options.only === undefined || name === options.only)) {
  const files = await prepareModel(row);
  for (const precision of PRECISIONS) results.push(...(await measureShape(row, files, precision)));
}
console.log(options.json ? JSON.stringify({ machine, results }, null, 1) : report(machine, results.flatMap(checksOf)));

async function measureShape({ name, jobs: own, ranks = false }, { folder, onnx, head }, precision) {
  const chosen = own.filter((job) => options.job === undefined || job === options.job);
  const used = Object.fromEntries(chosen.map((job) => [job, jobs[job]]));
  const stages = LIBRARIES.map(() => openInNode(join(import.meta.dirname, 'child.mjs')));
  try {
    const [quintet, peer] = stages;
    await quintet.call('open', { library: 'quintet', jobs: used, folder, ranks, precision });
    await peer.call('open', { library: 'onnxruntime-web', jobs: used, model: onnx[precision], head });
    const rows = [];
    for (const job of chosen) {
      const agrees = near(await quintet.call('answers', job), await peer.call('answers', job), precision, ranks);
      const times = stages.map(() => []);
      for (const stage of stages) await stage.call('measure', job, slice);
      for (let round = 0; round < rounds; ++round) {
        for (const [i, stage] of stages.entries()) times[i].push(await stage.call('measure', job, slice));
      }
      const [ours, theirs] = times.map(median);
      rows.push({ name, precision, job, ours, theirs, agrees });
      process.stderr.write(`${name} ${precision} ${job}\n`);
    }
    return rows;
  } finally {
    for (const stage of stages) stage.close();
  }
}

/** Logits of rerankers, or vectors of length 1. */
function near(a, b, precision, ranks) {
  return a.every((values, i) =>
    ranks
      ? Math.abs(values[0] - b[i][0]) <= LARGEST_ERROR[precision]
      : values.reduce((sum, value, at) => sum + value * b[i][at], 0) >= LEAST_COSINE[precision]);
}

function checksOf({ name, precision, job, ours, theirs, agrees }) {
  const target = PADDED_JOBS.includes(job) ? TARGETS.padded : TARGETS[precision];
  const ratio = theirs / ours;
  const section = `${name}, milliseconds`;
  const what = `${precision}, ${job}`;
  return [
    { section, what, quintet: ours.toFixed(1), peer: theirs.toFixed(1), ratio, target: `>= ${target}`, met: ratio >= target },
    { section, what: `${what}: the same answers`, quintet: agrees ? 'yes' : 'no', target: 'yes', met: agrees },
  ];
}
