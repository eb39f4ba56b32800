// npm run bench -- decoder [--quick] [--json] [--shape NAME | --cache | --grammar]
// quintet beside wllama and, as native code, llama.cpp: same weights, same token ids, one thread. docs/benchmarks.md tells
// what is measured, and how.
import { parseArgs } from 'node:util';

import { chromiumVersion } from '../shared/hosts/chromium_host.mjs';
import { startServer } from '../shared/hosts/server.mjs';
import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { checksOf } from './checks.mjs';
import { contestantsOf } from './contestants.mjs';
import { formChecks } from './form_checks.mjs';
import { compareAnswers } from './measurements/answers.mjs';
import { measureBandwidth } from './measurements/bandwidth.mjs';
import { measureCache } from './measurements/cache.mjs';
import { formContestants, measureForm } from './measurements/form.mjs';
import { measureMemory } from './measurements/memory.mjs';
import { prepareModels } from './model/prepare.mjs';
import { measureInRounds, withStages } from './rounds.mjs';
import { CACHE_MODEL, SHAPES } from './shapes.mjs';
import { promptIds } from './workload.mjs';

/** Where it is another number than that of `others`. */
const ROUNDS = {
  full: { 'stories-15M': 15, [CACHE_MODEL]: 15, others: 5 },
  quick: { 'stories-15M': 5, [CACHE_MODEL]: 5, others: 1 },
};

/** The shapes whose texts are kept to a grammar: a small vocabulary and a large one. */
const FORM_ROUNDS = { full: { 'stories-15M': 6, 'qwen2.5-0.5b': 4 }, quick: { 'stories-15M': 3, 'qwen2.5-0.5b': 1 } };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    shape: { type: 'string' },
    cache: { type: 'boolean', default: false },
    grammar: { type: 'boolean', default: false },
  },
});
if (options.shape !== undefined && !Object.hasOwn(SHAPES, options.shape)) {
  console.error(`bench: no shape '${options.shape}'; there are ${Object.keys(SHAPES).join(', ')}`);
  process.exit(2);
}
const rounds = options.quick ? ROUNDS.quick : ROUNDS.full;
const formRounds = options.quick ? FORM_ROUNDS.quick : FORM_ROUNDS.full;
const everything = options.shape === undefined && !options.cache && !options.grammar;
const chosen = everything ? Object.keys(SHAPES) : options.shape === undefined ? [] : [options.shape];
const forms = everything || options.grammar ? Object.keys(formRounds) : [];
const withCache = everything || options.cache;

const machine = await describeMachine(['@wllama/wllama', 'wllama-3', 'node-llama-cpp']);
machine.chromium = await chromiumVersion();
await prepareModels([...new Set([...chosen, ...forms, ...(withCache ? [CACHE_MODEL] : [])])]);
const results = { shapes: {}, forms: {}, memory: {} };
if (chosen.length > 0) {
  log('memory bandwidth');
  results.bandwidth = await measureBandwidth();
}
const server = await startServer();
for (const shape of chosen) results.shapes[shape] = await measureShape(shape);
if (withCache) {
  results.cache = await measureCache(server, { rounds: rounds[CACHE_MODEL], log: (text) => log(`KV cache: ${text}`) });
}
for (const shape of forms) results.forms[shape] = await measureFormOf(shape);
await server.close();
for (const shape of chosen) results.memory[shape] = await measureMemory(shape);

const checks = [...checksOf(results), ...forms.flatMap((shape) => formChecks(shape, results.forms[shape]))];
console.log(options.json ? JSON.stringify({ machine, results, checks }, null, 1) : report(machine, checks));

function measureShape(shape) {
  const ids = promptIds(SHAPES[shape].vocabulary);
  return withStages(contestantsOf(shape), server, async (stages) => ({
    differences: await compareAnswers(stages, ids),
    speeds: await measureInRounds(stages, ids, {
      rounds: rounds[shape] ?? rounds.others,
      log: (text) => log(`${shape}: ${text}`),
    }),
  }));
}

function measureFormOf(shape) {
  const contestants = contestantsOf(shape).filter(({ name }) => formContestants.includes(name));
  const ids = promptIds(SHAPES[shape].vocabulary);
  return withStages(contestants, server, (stages) =>
    measureForm(stages, ids, { rounds: formRounds[shape], log: (text) => log(`${shape}, grammar: ${text}`) }),
  );
}

function log(text) {
  process.stderr.write(`${text}\n`);
}
