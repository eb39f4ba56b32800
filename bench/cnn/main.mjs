// npm run bench -- cnn [--quick] [--json] [--cpu-time]
// quintet beside onnxruntime-web and TensorFlow.js: the same weights and pictures, one at a time, one thread.
// docs/benchmarks.md tells what is measured, and how.
import { parseArgs } from 'node:util';

import { downloadSizes } from '../shared/download_size.mjs';
import { chromiumVersion } from '../shared/hosts/chromium_host.mjs';
import { startServer } from '../shared/hosts/server.mjs';
import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { median, summaries, summary } from '../shared/statistics.mjs';
import { checksOf } from './checks.mjs';
import { contestantsOf, ENVIRONMENTS, quintetName } from './contestants.mjs';
import { collectLogits } from './measurements/answers.mjs';
import { measureColdStarts } from './measurements/cold_start.mjs';
import { measurePictures, preparePictures } from './measurements/pictures.mjs';
import { prepareModels } from './model/prepare.mjs';
import { measureInRounds, PACE, withStages } from './rounds.mjs';

const NETWORK = 'ResNet-18';
/** Without targets, and only in a full run: what takes part of quintet. */
const OTHERS = { 'ResNet-50': { variants: ['relaxed'], forms: ['fp32', 'sq8'] } };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'cpu-time': { type: 'boolean', default: false },
  },
});
const pace = options.quick ? PACE.quick : PACE.full;
const others = options.quick ? {} : OTHERS;

const machine = await describeMachine(['onnxruntime-web', '@tensorflow/tfjs-backend-wasm']);
machine.chromium = await chromiumVersion();
await prepareModels([NETWORK, ...Object.keys(others)]);
const server = await startServer();
await preparePictures(server);
const results = { network: NETWORK, environments: {}, others: {} };
for (const environment of Object.keys(ENVIRONMENTS)) {
  results.environments[environment] = {
    ...(await measureNetwork(NETWORK, environment, {})),
    ...(await measureAround(environment)),
  };
}
for (const [network, who] of Object.entries(others)) {
  results.others[network] = {};
  for (const environment of Object.keys(ENVIRONMENTS)) {
    results.others[network][environment] = await measureNetwork(network, environment, who);
  }
}
await server.close();

const checks = checksOf(results);
console.log(options.json ? JSON.stringify({ machine, results, checks }, null, 1) : report(machine, checks));

/** Speed and answers. */
async function measureNetwork(network, environment, who) {
  const cpuTime = options['cpu-time'];
  const settings = { pace, cpuTime, log: (text) => log(`${network}, ${environment}: ${text}`) };
  return withStages(environment, contestantsOf(network, environment, who), server, async (stages) => ({
    cpuTime,
    logits: await collectLogits(stages),
    times: summaries(await measureInRounds(stages, settings)),
  }));
}

/** What surrounds the network: starting, memory, downloads, pictures' files. */
async function measureAround(environment) {
  const starters = contestantsOf(NETWORK, environment, { variants: ['relaxed'] });
  log(`${environment}: cold starts`);
  const starts = await measureColdStarts(environment, starters, { samples: pace.coldStarts, server });
  log(`${environment}: pictures`);
  const classifier = starters.find(({ name }) => name === quintetName('relaxed', 'sq8'));
  return {
    coldStarts: mapValues(starts, summarizeColdStarts),
    downloads: environment === 'chromium' && !options.quick ? await sizesOf(starts) : undefined,
    pictures: await measurePictures(environment, classifier, { pace, server }),
  };
}

function summarizeColdStarts(samples) {
  const values = (key) => samples.map((sample) => sample[key]);
  return {
    times: summary(values('milliseconds')),
    wasmBytes: median(values('wasmBytes')),
    residentBytes: median(values('residentBytes')),
    weightBytes: median(values('weightBytes')),
  };
}

async function sizesOf(starts) {
  log('download sizes');
  const sizes = {};
  for (const [name, [first]] of Object.entries(starts)) sizes[name] = await downloadSizes(first.downloads);
  return sizes;
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function log(text) {
  process.stderr.write(`${text}\n`);
}
