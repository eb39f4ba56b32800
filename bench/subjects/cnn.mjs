// Image classification compared with onnxruntime-web and TensorFlow.js: same weights and pictures, one at a time.
//   [--network NAME] [--threads N] [--cpu-time]
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { measureColdStarts } from '../harness/cold_start.mjs';
import { ENVIRONMENTS, nameOf, onFreshStage, pathIn } from '../harness/environments.mjs';
import {
  atLeast,
  atMost,
  bestAndMedian,
  faster,
  figure,
  figureOf,
  KILOBYTE,
  less,
  MEGABYTE,
  number,
} from '../harness/lines.mjs';
import { match, takeTurns, withStages } from '../harness/rounds.mjs';
import { leastCosine, mapValues, summaries } from '../harness/statistics.mjs';
import { modelFiles, pictureFile, prepareModels } from '../models/resnet/prepare.mjs';
import { INPUT_SIDE, largestActivation, NETWORKS as RESNETS, resnet } from '../models/resnet/resnet.mjs';
import { VISION_NETWORKS } from '../models/vision/networks.mjs';
import { prepareVision, visionFiles } from '../models/vision/prepare.mjs';

export const peers = ['onnxruntime-web', '@tensorflow/tfjs-backend-wasm'];
export const chromium = true;
export const options = {
  network: { type: 'string', choices: [...RESNETS, ...VISION_NETWORKS] },
  threads: { type: 'string', choices: ['1', '2'], default: '1' },
  'cpu-time': { type: 'boolean' },
};

/** quintet's forms of a network: float32, int8 as it loads, static and dynamic int8 of tinyRuntime files. */
const FORMS = ['fp32', 'int8', 'sq8', 'dq8'];
const RESNET_FORMS = ['fp32', 'sq8', 'dq8'];
const VARIANTS = ['relaxed', 'baseline'];
/** The network that is measured completely, including the code around it. */
const NETWORK = 'ResNet-18';
/** Times in milliseconds. `networks`: where none is named. */
export const paces = {
  quick: { rounds: 3, warmUp: 1000, slice: 400, coldStarts: 2, networks: [NETWORK] },
  full: { rounds: 10, warmUp: 2500, slice: 800, coldStarts: 7, networks: options.network.choices },
};

const MODULE = join(import.meta.dirname, '../contestants/cnn.mjs');
const quintet = (variant, form) => `quintet ${variant} ${form}`;
const onnxRuntime = (precision) => `onnxruntime-web ${precision}`;
const TFJS = 'tfjs-backend-wasm fp32';
const REFERENCE = onnxRuntime('fp32');
/** The rivals of a form: at its precision, or whichever is fastest. */
const rivalsOf = (form) =>
  ({ fp32: [TFJS, onnxRuntime('fp32')], int8: [TFJS, onnxRuntime('fp32'), onnxRuntime('int8')] })[form] ?? [
    onnxRuntime('int8'),
  ];
const AS_LOADED = { variants: ['relaxed'], forms: ['fp32', 'int8'] };
/** The variants and forms of quintet that take part, by network. */
const PARTS = {
  [NETWORK]: { variants: VARIANTS, forms: RESNET_FORMS },
  'ResNet-50': { variants: ['relaxed'], forms: ['fp32', 'sq8'] },
  MobileNetV2: AS_LOADED,
  'EfficientNet-B0': AS_LOADED,
  'ConvNeXt-tiny': AS_LOADED,
  'ViT-B/16': AS_LOADED,
};

/** The first picture is timed, and the answers of all are compared. */
const JOBS = { 'picture 1': 1, 'picture 2': 2, 'picture 3': 3, 'picture 4': 4 };
const TIMED = 'picture 1';
const FILES = [
  { name: 'picture-640x480.jpg', type: 'image/jpeg', width: 640, height: 480 },
  { name: 'picture-640x480.png', type: 'image/png', width: 640, height: 480 },
  { name: 'picture-4000x3000.jpg', type: 'image/jpeg', width: 4000, height: 3000 },
];

const NOT_SLOWER = { [TFJS]: atLeast(1), [onnxRuntime('fp32')]: atLeast(1) };
const fasterThanEach = (ratios) => {
  const toEach = ([form, ratio]) => [form, Object.fromEntries(rivalsOf(form).map((name) => [name, atLeast(ratio)]))];
  return { relaxed: Object.fromEntries(Object.entries(ratios).map(toEach)) };
};
/** At 224 x 224, one picture at a time. */
const TARGETS = {
  /** Speed relative to rivals, by network, variant, form and rival. */
  speedup: {
    [NETWORK]: {
      relaxed: { fp32: { ...NOT_SLOWER, [TFJS]: atLeast(1.7) }, sq8: { [onnxRuntime('int8')]: atLeast(2) } },
      /** On processors without relaxed SIMD, and engines that lack it. */
      baseline: { fp32: NOT_SLOWER, sq8: { [onnxRuntime('int8')]: atLeast(1) } },
    },
    MobileNetV2: fasterThanEach({ fp32: 2, int8: 2.5 }),
    'EfficientNet-B0': fasterThanEach({ fp32: 2, int8: 2 }),
    'ConvNeXt-tiny': fasterThanEach({ fp32: 1.6, int8: 2 }),
    'ViT-B/16': fasterThanEach({ fp32: 1.6, int8: 2 }),
  },
  /** Largest difference of logits in float32 to a rival's, relative to the largest logit. */
  difference: atMost(1e-3),
  /** Least cosine of logits in int8 to those in float32. */
  cosine: atLeast(0.99),
  /** Logits in static int8 that differ between the variants. */
  unequalLogits: atMost(0),
  /** Wasm memory beyond the weights and three times the largest activation, in MB. */
  megabytesBeyond: atMost(8),
  brotliKilobytes: { wasm: atMost(200), javaScript: atMost(30) },
};
/** Bytes of an activation's value, as the formats define them. */
const ACTIVATION_BYTES = { fp32: 4, sq8: 1, dq8: 4 };

const filesOf = (network) => (VISION_NETWORKS.includes(network) ? visionFiles(network) : modelFiles(network));

function contestantsOf(network, environment, threads, { variants, forms } = PARTS[network]) {
  const path = (file) => pathIn(environment, file);
  const files = filesOf(network);
  const ours = forms.flatMap((form) =>
    variants.map((variant) => ({
      name: quintet(variant, form),
      library: 'quintet',
      options: {
        model: path(files.quintet[form] ?? files.quintet.fp32),
        variant,
        threads,
        quantize: form === 'int8' ? 'int8' : 'none',
      },
    })),
  );
  const theirs = ['fp32', 'int8'].map((precision) => ({
    name: onnxRuntime(precision),
    library: 'onnxruntime-web',
    options: { model: path(files.onnx[precision]), threads },
  }));
  // It always has one thread.
  const tfjs =
    files.tfjs && threads === 1
      ? [{ name: TFJS, library: 'tfjs-backend-wasm', options: { model: path(files.tfjs), network } }]
      : [];
  return [...ours, ...theirs, ...tfjs].map((each) => ({ ...each, module: MODULE, environment }));
}

export async function measure({ pace, quick, options }) {
  const names = options.network === undefined ? pace.networks : [options.network];
  await prepareModels(names.filter((name) => RESNETS.includes(name)));
  await prepareVision(names.filter((name) => VISION_NETWORKS.includes(name)));
  const networks = {};
  for (const network of names) {
    networks[network] = {};
    for (const environment of Object.keys(ENVIRONMENTS)) {
      networks[network][environment] = await measureNetwork(network, environment, {
        pace,
        cpuTime: options['cpu-time'],
        threads: Number(options.threads),
      });
    }
  }
  return {
    networks,
    around: names.includes(NETWORK) && options.threads === '1' ? await measureSurroundings(pace, quick) : {},
  };
}

/** Cold starts and files of pictures. */
async function measureSurroundings(pace, quick) {
  await preparePictures();
  const around = {};
  for (const environment of Object.keys(ENVIRONMENTS)) {
    const starters = contestantsOf(NETWORK, environment, 1, { variants: ['relaxed'], forms: RESNET_FORMS });
    around[environment] = {
      coldStarts: await measureColdStarts(starters, {
        jobs: JOBS,
        first: TIMED,
        more: { [TIMED]: 500 },
        samples: pace.coldStarts,
        weigh: environment === 'chromium' && !quick,
      }),
      pictures: await measurePictures(
        environment,
        starters.find(({ name }) => name === quintet('relaxed', 'sq8')),
        pace,
      ),
    };
  }
  return around;
}

/** Speed and answers. */
async function measureNetwork(network, environment, { threads, ...settings }) {
  const { answers, times } = await match({
    title: `${network}, ${environment}`,
    contestants: contestantsOf(network, environment, threads),
    jobs: JOBS,
    answers: Object.keys(JOBS),
    timed: [TIMED],
    ...settings,
  });
  return {
    times: mapValues(summaries(times), (jobs) => jobs[TIMED]),
    ...comparedAnswers(mapValues(answers, Object.values)),
  };
}

/** `logits`: lists by contestant. */
function comparedAnswers({ [REFERENCE]: expected, ...logits }) {
  const inFloat = (name) => name.endsWith('fp32');
  const entries = Object.entries(logits);
  const unequal = ['sq8', 'dq8'].flatMap((form) => {
    const [relaxed, baseline] = VARIANTS.map((variant) => logits[quintet(variant, form)]?.flat());
    if (!relaxed || !baseline) return [];
    return [[form, { of: relaxed.length, count: relaxed.filter((value, i) => value !== baseline[i]).length }]];
  });
  return {
    differences: Object.fromEntries(
      entries.filter(([name]) => inFloat(name)).map(([name, lists]) => [name, largestDifference(lists, expected)]),
    ),
    cosines: Object.fromEntries(
      entries.filter(([name]) => !inFloat(name)).map(([name, lists]) => [name, leastCosine(lists, expected)]),
    ),
    unequal: Object.fromEntries(unequal),
  };
}

function largestDifference(lists, references) {
  const ratios = lists.map((values, i) => {
    const differences = values.map((value, j) => Math.abs(value - references[i][j]));
    return Math.max(...differences) / Math.max(...references[i].map(Math.abs));
  });
  return Math.max(...ratios);
}

/** Files that Chromium makes, once. */
async function preparePictures() {
  for (const { name, ...picture } of FILES) {
    if (await readFile(pictureFile(name)).catch(() => undefined)) continue;
    const encoded = await onFreshStage('chromium', MODULE, async ({ call }) => {
      await call('open', 'encoder');
      return call('encode', { seed: JOBS[TIMED], ...picture });
    });
    await writeFile(pictureFile(name), encoded, 'base64');
  }
}

/** From a picture's file to labels, and the network's share of that time: no rival decodes pictures in Node. */
function measurePictures(environment, contestant, { rounds, slice }) {
  const files = Object.fromEntries(FILES.map(({ name }) => [name, pathIn(environment, pictureFile(name))]));
  return withStages([contestant], JOBS, async (stages) => {
    const results = [];
    for (const { name, width, height } of FILES) {
      const samples = await takeTurns(stages, { rounds, title: `${environment}, ${name}` }, async ({ call }) => ({
        classify: await call('measureFile', files[name], slice / 2),
        network: await call('measure', TIMED, slice / 4),
      }));
      const { length } = await readFile(pictureFile(name));
      results.push({ name, pixels: width * height, bytes: length, ...summaries(samples[contestant.name]) });
    }
    return results;
  });
}

export function sections({ networks, around }, { options }) {
  const clock = options['cpu-time'] ? 'milliseconds of processor time' : 'milliseconds';
  const ofNetwork = (network, environment) => {
    const section = (title, lines) => ({ title: `${network}, ${nameOf(environment)}: ${title}`, lines });
    const result = networks[network][environment];
    return [
      section(`${clock}, best / median`, speedLines(result, TARGETS.speedup[network] ?? {})),
      section(`largest difference of logits to ${REFERENCE}, relative to the largest`, differenceLines(result)),
      section(`least cosine of logits to ${REFERENCE}`, cosineLines(result)),
      section('logits that differ between relaxed and baseline', unequalLines(result)),
    ];
  };
  const ofSurroundings = (environment) => [
    {
      title: `${NETWORK}, ${nameOf(environment)}: cold start to the first logits, milliseconds, best / median`,
      lines: coldStartLines(around[environment]),
    },
    {
      title: `${nameOf(environment)}: from a picture's file to labels, sq8 relaxed, milliseconds, best / median`,
      lines: around[environment].pictures.flatMap(pictureLines),
    },
  ];
  const surroundings = ({ node, chromium }) => [
    ...Object.keys(around).flatMap(ofSurroundings),
    { title: `${NETWORK}, Node 24: memory, MB`, lines: memoryLines(node) },
    { title: 'Download of a page, kB with brotli', lines: downloadLines(chromium) },
  ];
  return Object.entries(networks)
    .flatMap(([network, environments]) => [
      ...Object.keys(environments).flatMap((environment) => ofNetwork(network, environment)),
      ...(network === NETWORK && around.node ? surroundings(around) : []),
    ])
    .filter(({ lines }) => lines.length > 0);
}

const speedLines = ({ times }, targets) =>
  VARIANTS.flatMap((variant) =>
    FORMS.filter((form) => times[quintet(variant, form)]).flatMap((form) =>
      rivalsOf(form)
        .filter((rival) => times[rival])
        .map((rival) => {
          const target = targets[variant]?.[form]?.[rival];
          return faster(`${form} ${variant}, beside ${rival}`, times[quintet(variant, form)], times[rival], target);
        }),
    ),
  );

const differenceLines = ({ differences }) =>
  Object.entries(differences).map(([name, value]) => figureOf(name, value, TARGETS.difference, value.toExponential(1)));

const cosineLines = ({ cosines }) =>
  Object.entries(cosines).map(([name, value]) => figureOf(name, value, TARGETS.cosine, value.toFixed(6)));

const unequalLines = ({ unequal }) =>
  Object.entries(unequal).map(([form, { count, of }]) =>
    figure(form, count, form === 'sq8' ? TARGETS.unequalLogits : undefined, `${count} of ${of}`),
  );

const coldStartLines = ({ coldStarts }) =>
  RESNET_FORMS.flatMap((form) =>
    rivalsOf(form).map((rival) =>
      faster(`${form} relaxed, beside ${rival}`, coldStarts[quintet('relaxed', form)].times, coldStarts[rival].times),
    ),
  );

function pictureLines({ name, pixels, bytes, classify, network }) {
  const preparing = classify.best - network.best;
  const rate = number(pixels / (1000 * preparing));
  return [
    { what: `${name}, ${number(bytes / KILOBYTE)} kB`, quintet: bestAndMedian(classify) },
    figure(`of it decoding, scaling to ${INPUT_SIDE} x ${INPUT_SIDE}: ${rate} million pixels a second`, preparing),
  ];
}

function memoryLines({ coldStarts }) {
  return RESNET_FORMS.flatMap((form) => {
    const ours = coldStarts[quintet('relaxed', form)];
    const activation = largestActivation(resnet(NETWORK)) * ACTIVATION_BYTES[form];
    const beyond = (ours.worked.wasm - ours.weights - 3 * activation) / MEGABYTE;
    const beside = (rival) => {
      const line = (what, key) =>
        less(
          `${form}: ${what}, beside ${rival}`,
          ours.worked[key] / MEGABYTE,
          coldStarts[rival].worked[key] / MEGABYTE,
        );
      return [line('peak of the wasm memory', 'wasm'), line('peak resident set of the process', 'resident')];
    };
    return [
      figure(`${form}: weights`, ours.weights / MEGABYTE),
      figure(`${form}: the largest activation`, activation / MEGABYTE),
      figure(
        `${form}: peak of the wasm memory beyond weights + 3 x the largest activation`,
        beyond,
        TARGETS.megabytesBeyond,
      ),
      ...rivalsOf(form).flatMap(beside),
    ];
  });
}

function downloadLines({ coldStarts }) {
  const ours = coldStarts[quintet('relaxed', 'sq8')].downloads;
  if (!ours) return [];
  return [onnxRuntime('int8'), TFJS].flatMap((rival) =>
    Object.entries(ours).map(([kind, bytes]) => {
      const what = `${kind}, beside ${rival.split(' ')[0]}`;
      return less(what, bytes / KILOBYTE, coldStarts[rival].downloads[kind] / KILOBYTE, TARGETS.brotliKilobytes[kind]);
    }),
  );
}
