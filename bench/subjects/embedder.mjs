// Sentence embeddings compared with onnxruntime-web and transformers.js: same weights, same token ids, one thread.
//   [--cpu-time] [--sentences FILE]
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { measureColdStarts } from '../harness/cold_start.mjs';
import { ENVIRONMENTS, nameOf, onFreshStage, pathIn } from '../harness/environments.mjs';
import {
  atLeast,
  atMost,
  faster,
  figure,
  figureOf,
  KILOBYTE,
  less,
  MEGABYTE,
  more,
  number,
  verdict,
} from '../harness/lines.mjs';
import { match } from '../harness/rounds.mjs';
import { leastCosine, summaries } from '../harness/statistics.mjs';
import { embedderJobs } from '../jobs/texts.mjs';
import { linearLayers, MINILM } from '../models/encoder/bert.mjs';
import { MODEL_FILES, MODEL_NAME, MODELS_FOLDER, prepareEmbedder } from '../models/encoder/prepare.mjs';
import { linearLayerTime, measureGemms } from '../native/kernel_bench.mjs';

export const peers = ['@huggingface/transformers', 'onnxruntime-web'];
export const chromium = true;
export const options = { 'cpu-time': { type: 'boolean' }, sentences: { type: 'string' } };
/** Times in milliseconds. */
export const paces = {
  quick: {
    rounds: 2,
    warmUp: 120,
    slice: 120,
    coldStarts: 2,
    sentenceCount: 128,
    leaveOut: ['32x64', 'sentences one by one'],
  },
  full: { rounds: 8, warmUp: 400, slice: 400, coldStarts: 7, sentenceCount: Infinity, leaveOut: [] },
};

const MODULE = join(import.meta.dirname, '../contestants/embedder.mjs');
const VARIANTS = ['relaxed', 'baseline'];
const PRECISIONS = ['fp32', 'int8'];
const quintet = (variant, precision) => `quintet ${variant} ${precision}`;
const onnxRuntime = (precision) => `onnxruntime-web ${precision}`;
const TRANSFORMERS = 'transformers.js int8';
const REFERENCE = onnxRuntime('fp32');

const BATCHES = ['1x16', '1x64', '1x128', '1x256', '32x64'];
/** The work of a process after its first vector, so that both libraries' peak memory is for the same work. */
const FURTHER_WORK = { '1x128': 0, '1x256': 0, '32x64': 0 };
const SEARCH_MODULE = join(import.meta.dirname, '../contestants/search.mjs');
const STORAGES = ['f32', 'int8', 'binary'];

/** In one thread, at the shape of all-MiniLM-L6-v2. */
const TARGETS = {
  /** Speed relative to onnxruntime-web at the same precision, by batch. */
  relaxed: {
    fp32: { '1x64': atLeast(1.5), '1x128': atLeast(1.5), '1x256': atLeast(1.5) },
    int8: { '1x16': atLeast(2.5), '1x64': atLeast(2.2), '1x128': atLeast(2.2), '1x256': atLeast(2.2) },
  },
  /** On processors without relaxed SIMD, and engines that lack it. */
  baseline: atLeast(1),
  /** Texts per second relative to transformers.js int8 on WebAssembly. */
  sentences: atLeast(4),
  cosine: { fp32: atLeast(0.99999), int8: atLeast(0.99) },
  coldStartMilliseconds: { node: atMost(150), chromium: atMost(250) },
  residentMegabytes: atMost(110),
  /** Wasm memory beyond 1.15 times the model file, in MB. */
  wasmMegabytesBeyondFile: atMost(8),
  gemmShareOfPeak: { fp32: atLeast(0.85), int8: atLeast(0.8) },
  shareOutsideGemms: atMost(0.25),
  searchMilliseconds: { f32: atMost(5), int8: atMost(2) },
  brotliKilobytes: { wasm: atMost(200), javaScript: atMost(30) },
};

function contestantsIn(environment) {
  const path = (file) => pathIn(environment, file);
  const ofPrecision = (precision) => [
    ...VARIANTS.map((variant) => ({
      name: quintet(variant, precision),
      library: 'quintet',
      options: { model: path(MODEL_FILES.quintet[precision]), variant },
      jobs: precision === 'int8' && variant === 'relaxed' ? [...BATCHES, 'sentences'] : BATCHES,
    })),
    {
      name: onnxRuntime(precision),
      library: 'onnxruntime-web',
      options: { model: path(MODEL_FILES.onnx[precision]) },
      jobs: BATCHES,
    },
  ];
  const transformers = {
    name: TRANSFORMERS,
    library: 'transformers.js',
    options: { modelsFolder: path(MODELS_FOLDER), modelName: MODEL_NAME },
    jobs: ['sentences', 'sentences one by one'],
  };
  return [...PRECISIONS.flatMap(ofPrecision), transformers].map((each) => ({ ...each, module: MODULE, environment }));
}

export async function measure({ pace, quick, options }) {
  await prepareEmbedder();
  const jobs = await embedderJobs({ sentencesFile: options.sentences, sentenceCount: pace.sentenceCount });
  const environments = {};
  for (const environment of Object.keys(ENVIRONMENTS)) {
    const contestants = contestantsIn(environment);
    const { answers, times } = await match({
      title: environment,
      contestants,
      jobs,
      answers: ['1x16', '1x128', '32x64'],
      timed: Object.keys(jobs).filter((job) => !pace.leaveOut.includes(job)),
      pace,
      cpuTime: options['cpu-time'],
    });
    const starters = [quintet('relaxed', 'int8'), onnxRuntime('int8')];
    const coldStarts = await measureColdStarts(
      contestants.filter(({ name }) => starters.includes(name)),
      {
        jobs,
        first: '1x16',
        more: FURTHER_WORK,
        samples: pace.coldStarts,
        weigh: environment === 'chromium' && !quick,
      },
    );
    const searches = summaries(await measureSearches(environment));
    environments[environment] = { times: summaries(times), cosines: cosinesOf(answers), coldStarts, searches };
  }
  const sentenceCount = jobs['sentences one by one'].length;
  return {
    environments,
    sentenceCount,
    kernels: await measureGemms(),
    modelBytes: (await stat(MODEL_FILES.quintet.int8)).size,
  };
}

/** Least cosines to the reference by name; transformers.js gets the same token ids by texts. */
function cosinesOf(answers) {
  const vectors = ([name, byJob]) => [name, Object.values(byJob).flat()];
  const { [REFERENCE]: expected, ...others } = Object.fromEntries(Object.entries(answers).map(vectors));
  return Object.fromEntries(Object.entries(others).map(([name, all]) => [name, leastCosine(all, expected)]));
}

/** Milliseconds of searches by storage. No peer has an exact search. */
async function measureSearches(environment) {
  const samples = {};
  for (const storage of STORAGES) {
    samples[storage] = await onFreshStage(environment, SEARCH_MODULE, async ({ call }) => {
      await call('open', 'quintet', { dimension: MINILM.hidden, storage });
      return call('search', 100_000, 60);
    });
  }
  return samples;
}

export function sections({ environments, sentenceCount, kernels, modelBytes }, { options }) {
  const perEnvironment = Object.entries(environments).flatMap(([environment, result]) => {
    const clock = options['cpu-time'] ? 'milliseconds of processor time' : 'milliseconds';
    const section = (title, lines) => ({ title: `${nameOf(environment)}: ${title}`, lines });
    return [
      section(`${clock}, best / median`, speedLines(result)),
      section('sentences per second', sentenceLines(environment, result, sentenceCount)),
      section(`least cosine to ${REFERENCE}, same token ids`, cosineLines(result)),
      section('cold start to the first vector, int8, milliseconds, best / median', [
        coldStartLine(environment, result),
      ]),
      section('search of 100,000 x 384, milliseconds, best / median', searchLines(result)),
    ];
  });
  return [
    ...perEnvironment,
    { title: 'Node 24: memory with the int8 model, MB', lines: memoryLines(environments.node, modelBytes) },
    { title: 'Download of a page, kB with brotli', lines: downloadLines(environments.chromium) },
    { title: 'Node 24: GEMMs of one pass over 128 tokens', lines: kernelLines(kernels, environments.node) },
  ].filter(({ lines }) => lines.length > 0);
}

function speedLines({ times }) {
  const targetOf = (variant, precision, batch) =>
    variant === 'baseline' ? TARGETS.baseline : TARGETS.relaxed[precision][batch];
  return VARIANTS.flatMap((variant) =>
    PRECISIONS.flatMap((precision) => {
      const [ours, theirs] = [times[quintet(variant, precision)], times[onnxRuntime(precision)]];
      const what = (batch) => `${precision} ${batch} ${variant}, beside onnxruntime-web`;
      return Object.keys(theirs).map((batch) =>
        faster(what(batch), ours[batch], theirs[batch], targetOf(variant, precision, batch)),
      );
    }),
  );
}

// In Node, transformers.js is native code, which is informative, but not a fair rival for a WebAssembly library.
function sentenceLines(environment, { times }, count) {
  const rate = ({ median }) => (1000 * count) / median;
  const ours = rate(times[quintet('relaxed', 'int8')].sentences);
  return Object.entries(times[TRANSFORMERS]).map(([job, time]) => {
    const padded = job === 'sentences';
    const manner = padded ? 'in padded batches of 32' : 'one by one';
    const native = environment === 'node' ? ' (native code)' : '';
    const target = padded && environment === 'chromium' ? TARGETS.sentences : undefined;
    return more(`int8 relaxed, beside transformers.js ${manner}${native}`, ours, rate(time), target);
  });
}

const cosineLines = ({ cosines }) =>
  Object.entries(cosines).map(([name, cosine]) =>
    figureOf(name, cosine, TARGETS.cosine[name.split(' ').at(-1)], cosine.toFixed(7)),
  );

function coldStartLine(environment, { coldStarts }) {
  const [ours, theirs] = [quintet('relaxed', 'int8'), onnxRuntime('int8')].map((name) => coldStarts[name].times);
  const line = faster('import, compile, load, embed', ours, theirs);
  return { ...line, ...verdict(TARGETS.coldStartMilliseconds[environment], ours.median) };
}

const searchLines = ({ searches }) =>
  Object.entries(searches).map(([storage, { best, median }]) =>
    figure(storage, median, TARGETS.searchMilliseconds[storage], `${number(best)} / ${number(median)}`),
  );

function memoryLines({ coldStarts }, modelBytes) {
  const [ours, theirs] = [coldStarts[quintet('relaxed', 'int8')], coldStarts[onnxRuntime('int8')]];
  const line = (what, bytesOf, target) => less(what, bytesOf(ours) / MEGABYTE, bytesOf(theirs) / MEGABYTE, target);
  const beyond = (ours.loaded.wasm - 1.15 * modelBytes) / MEGABYTE;
  const file = `the file of ${number(modelBytes / MEGABYTE)} MB`;
  return [
    line('peak resident set, after the first vector', ({ started }) => started.resident, TARGETS.residentMegabytes),
    line('peak resident set, after 32 x 64 tokens as well', ({ worked }) => worked.resident, TARGETS.residentMegabytes),
    line('wasm memory when the model is loaded', ({ loaded }) => loaded.wasm),
    figure(`the same beyond 1.15 x ${file}`, beyond, TARGETS.wasmMegabytesBeyondFile),
  ];
}

function downloadLines({ coldStarts }) {
  const [ours, theirs] = [quintet('relaxed', 'int8'), onnxRuntime('int8')].map((name) => coldStarts[name].downloads);
  return Object.entries(ours ?? {}).map(([kind, bytes]) =>
    less(kind, bytes / KILOBYTE, theirs[kind] / KILOBYTE, TARGETS.brotliKilobytes[kind]),
  );
}

function kernelLines(kernels, { times }) {
  return PRECISIONS.flatMap((precision) => {
    const pass = { precision, variant: 'relaxed', tokens: 128, layers: linearLayers(MINILM), count: MINILM.layers };
    const { milliseconds, shareOfPeak } = linearLayerTime(kernels, pass);
    const outside = 1 - milliseconds / times[quintet('relaxed', precision)]['1x128'].best;
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    return [
      figure(
        `${precision}: share of the instruction set's peak`,
        shareOfPeak,
        TARGETS.gemmShareOfPeak[precision],
        percent(shareOfPeak),
      ),
      figure(`${precision}: share of the pass outside the GEMMs`, outside, TARGETS.shareOutsideGemms, percent(outside)),
    ];
  });
}
