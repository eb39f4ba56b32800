// Vectors of pictures and texts compared with onnxruntime-web, on which transformers.js runs: same weights and inputs,
// one at a time. [--model NAME] [--threads N] [--cpu-time]
import { join } from 'node:path';

import { ENVIRONMENTS, nameOf, pathIn } from '../harness/environments.mjs';
import { atLeast, atMost, faster, figureOf } from '../harness/lines.mjs';
import { match } from '../harness/rounds.mjs';
import { leastCosine, mapValues, summaries } from '../harness/statistics.mjs';
import { prepareTowers, towerFiles } from '../models/vision/prepare.mjs';
import { TEXT_TOKENS, TOWER_MODELS } from '../models/vision/towers.mjs';

export const peers = ['onnxruntime-web'];
export const chromium = true;
export const options = {
  model: { type: 'string', choices: TOWER_MODELS },
  threads: { type: 'string', choices: ['1', '2'], default: '1' },
  'cpu-time': { type: 'boolean' },
};
/** Times in milliseconds. */
export const paces = {
  quick: { rounds: 3, warmUp: 1000, slice: 500 },
  full: { rounds: 10, warmUp: 2500, slice: 1000 },
};

const MODULE = join(import.meta.dirname, '../contestants/towers.mjs');
const TOWERS = ['image', 'text'];
const FORMS = ['fp32', 'int8'];
const quintet = (form) => `quintet ${form}`;
const onnxRuntime = (form) => `onnxruntime-web ${form}`;

/** Speed relative to onnxruntime-web at the same precision, in one thread. */
const TARGETS = {
  speedup: { image: { fp32: atLeast(1.6), int8: atLeast(2) }, text: { fp32: atLeast(2), int8: atLeast(2) } },
  /** 1 - cosine of vectors in float32 to the rival's. */
  difference: atMost(1e-6),
  /** Cosine of vectors in int8 to those in float32. */
  cosine: atLeast(0.99),
};

function jobsOf(model) {
  const count = TEXT_TOKENS[model];
  const ids = Array.from({ length: count }, (_, i) =>
    i === count - 1 && count < 64 ? 49407 : (7919 * i + 17) % 30000,
  );
  return { image: { tower: 'image', seed: 1 }, text: { tower: 'text', ids } };
}

function contestantsOf(model, environment, threads) {
  const path = (file) => pathIn(environment, file);
  const files = towerFiles(model);
  return FORMS.flatMap((form) => [
    {
      name: quintet(form),
      library: 'quintet',
      options: { model: path(files.quintet), variant: 'relaxed', threads, quantize: form === 'int8' && 'int8' },
    },
    {
      name: onnxRuntime(form),
      library: 'onnxruntime-web',
      options: { models: mapValues(files.onnx, (forms) => path(forms[form])), threads },
    },
  ]).map((each) => ({ ...each, module: MODULE, environment }));
}

export async function measure({ pace, options }) {
  const names = options.model === undefined ? TOWER_MODELS : [options.model];
  await prepareTowers(names);
  const models = {};
  for (const model of names) {
    models[model] = {};
    for (const environment of Object.keys(ENVIRONMENTS)) {
      const { answers, times } = await match({
        title: `${model}, ${environment}`,
        contestants: contestantsOf(model, environment, Number(options.threads)),
        jobs: jobsOf(model),
        answers: TOWERS,
        timed: TOWERS,
        cpuTime: options['cpu-time'],
        pace,
      });
      const cosines = (name) =>
        Object.fromEntries(
          TOWERS.map((tower) => [tower, leastCosine(answers[name][tower], answers[onnxRuntime('fp32')][tower])]),
        );
      models[model][environment] = {
        times: summaries(times),
        cosines: Object.fromEntries([...FORMS.map(quintet), onnxRuntime('int8')].map((name) => [name, cosines(name)])),
      };
    }
  }
  return { models };
}

export function sections({ models }, { options }) {
  const clock = options['cpu-time'] ? 'milliseconds of processor time' : 'milliseconds';
  return Object.entries(models).flatMap(([model, environments]) =>
    Object.entries(environments).flatMap(([environment, { times, cosines }]) => [
      {
        title: `${model}, ${nameOf(environment)}, ${options.threads} thread(s): ${clock}, best / median`,
        lines: TOWERS.flatMap((tower) =>
          FORMS.map((form) =>
            faster(
              `${tower} ${form}`,
              times[quintet(form)][tower],
              times[onnxRuntime(form)][tower],
              TARGETS.speedup[tower][form],
            ),
          ),
        ),
      },
      {
        title: `${model}, ${nameOf(environment)}: cosine to onnxruntime-web fp32`,
        lines: Object.entries(cosines).flatMap(([name, of]) =>
          TOWERS.map((tower) => {
            const inFloat = name === quintet('fp32');
            return figureOf(
              `${name}, ${tower}`,
              inFloat ? 1 - of[tower] : of[tower],
              inFloat ? TARGETS.difference : TARGETS.cosine,
              inFloat ? `1 - ${(1 - of[tower]).toExponential(1)}` : of[tower].toFixed(6),
            );
          }),
        ),
      },
    ]),
  );
}
