// npm run bench -- embedder [--quick] [--json] [--cpu-time] [--sentences FILE]
// quintet beside onnxruntime-web and transformers.js: same weights, same token ids, one thread. docs/benchmarks.md tells
// what is measured, and how.
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { median, summaries, summary } from '../shared/statistics.mjs';
import { checksOf } from './checks.mjs';
import { contestantsOf, ENVIRONMENTS, onnxRuntimeName, quintetName } from './contestants.mjs';
import { chromiumVersion } from '../shared/hosts/chromium_host.mjs';
import { startServer } from '../shared/hosts/server.mjs';
import { compareAnswers } from './measurements/answers.mjs';
import { chromiumColdStarts, nodeColdStarts } from './measurements/cold_start.mjs';
import { downloadSizes } from '../shared/download_size.mjs';
import { measureKernels } from './measurements/kernels.mjs';
import { measureSearches } from './measurements/search.mjs';
import { prepareModels } from './model/prepare.mjs';
import { MODEL_FILES } from './paths.mjs';
import { measureInRounds, PACE, withStages } from './rounds.mjs';
import { makeBatches } from './workload.mjs';

const COLD_STARTERS = [quintetName('relaxed', 'int8'), onnxRuntimeName('int8')];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'cpu-time': { type: 'boolean', default: false },
    sentences: { type: 'string' },
  },
});
const pace = options.quick ? PACE.quick : PACE.full;

const machine = await describeMachine(['@huggingface/transformers', 'onnxruntime-web']);
machine.chromium = await chromiumVersion();
await prepareModels();
const batches = await makeBatches({
  sentencesFile: options.sentences,
  sentenceCount: pace.sentenceCount,
});
const server = await startServer();
const results = { modelBytes: (await stat(MODEL_FILES.quintet.int8)).size, environments: {} };
for (const environment of ENVIRONMENTS)
  results.environments[environment] = await measureEnvironment(environment);
log('kernels');
results.kernels = await measureKernels();
await server.close();

const checks = checksOf(results);
console.log(
  options.json ? JSON.stringify({ machine, results, checks }, null, 1) : report(machine, checks),
);

async function measureEnvironment(environment) {
  const contestants = contestantsOf(environment);
  const cpuTime = options['cpu-time'];
  const settings = { pace, cpuTime, log: (text) => log(`${environment}: ${text}`) };
  const { times, answers } = await withStages(
    environment,
    contestants,
    { server, batches },
    async (stages) => ({
      answers: await compareAnswers(stages),
      times: summaries(await measureInRounds(stages, settings)),
    }),
  );
  log(`${environment}: cold starts`);
  const starters = contestants.filter(({ name }) => COLD_STARTERS.includes(name));
  const starts = await (environment === 'node'
    ? nodeColdStarts(starters, batches, pace.coldStarts)
    : chromiumColdStarts(starters, batches, pace.coldStarts, server));
  log(`${environment}: search`);
  return {
    times,
    cpuTime,
    answers,
    sentenceCount: batches.sentences.flatMap(({ texts }) => texts).length,
    coldStarts: mapValues(starts, summarizeColdStarts),
    downloads: environment === 'chromium' && !options.quick ? await sizesOf(starts) : undefined,
    searches: summaries(await measureSearches(environment, server)),
  };
}

function summarizeColdStarts(samples) {
  const values = (key) => samples.map((sample) => sample[key]);
  return {
    times: summary(values('milliseconds')),
    sinceProcessStart: median(values('sinceProcessStart')),
    peakBytesFirst: median(values('peakBytesFirst')),
    peakBytes: median(values('peakBytes')),
    wasmBytesLoaded: median(values('wasmBytesLoaded')),
  };
}

async function sizesOf(starts) {
  log('download sizes');
  const sizes = {};
  for (const [name, [first]] of Object.entries(starts))
    sizes[name] = await downloadSizes(first.downloads);
  return sizes;
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function log(text) {
  process.stderr.write(`${text}\n`);
}
