// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }. Lines without a
// target only inform.
import { onnxRuntimeName, PRECISIONS, quintetName, TRANSFORMERS } from './contestants.mjs';
import { linearLayerTime } from './measurements/kernels.mjs';
import { TARGETS } from './targets.mjs';

const VARIANTS = ['relaxed', 'baseline'];
const MEGABYTE = 1e6;
const KILOBYTE = 1e3;
const ENVIRONMENT_NAMES = { node: 'Node 24', chromium: 'Chromium' };

export function checksOf(results) {
  const { environments, kernels, modelBytes } = results;
  return [
    ...Object.entries(environments).flatMap(([environment, result]) => [
      ...latencyChecks(environment, result),
      ...sentenceChecks(environment, result),
      ...answerChecks(environment, result),
      ...coldStartChecks(environment, result),
      ...searchChecks(environment, result),
    ]),
    ...memoryChecks(environments.node, modelBytes),
    ...downloadChecks(environments.chromium),
    ...kernelChecks(kernels, environments.node),
  ];
}

function latencyChecks(environment, { times, cpuTime }) {
  const clock = cpuTime ? 'milliseconds of processor time' : 'milliseconds';
  const section = `${ENVIRONMENT_NAMES[environment]}: ${clock}, best / median`;
  return VARIANTS.flatMap((variant) =>
    PRECISIONS.flatMap((precision) => {
      const ours = times[quintetName(variant, precision)];
      const theirs = times[onnxRuntimeName(precision)];
      const targets = TARGETS.speedup[variant];
      return Object.keys(theirs).map((batch) =>
        comparison(
          section,
          `${precision} ${batch} ${variant}, beside onnxruntime-web`,
          ours[batch],
          theirs[batch],
          variant === 'baseline' ? targets : targets[precision][batch],
        ),
      );
    }),
  );
}

function comparison(section, what, ours, theirs, target) {
  const text = ({ best, median }) => `${number(best)} / ${number(median)}`;
  const ratio = theirs.median / ours.median;
  return {
    section,
    what,
    quintet: text(ours),
    peer: text(theirs),
    ratio,
    ...verdict(target, ratio),
  };
}

function sentenceChecks(environment, { times, sentenceCount }) {
  const section = `${ENVIRONMENT_NAMES[environment]}: sentences per second`;
  const rate = ({ median }) => (1000 * sentenceCount) / median;
  const ours = rate(times[quintetName('relaxed', 'int8')].sentences);
  return Object.entries(times[TRANSFORMERS]).map(([batch, time]) => {
    const theirs = rate(time);
    const padded = batch === 'sentences';
    const manner = padded ? 'in padded batches of 32' : 'one by one';
    // In Node transformers.js is native code: worth knowing, but not what a WebAssembly library is measured by.
    const native = environment === 'node' ? ' (native code)' : '';
    const target = padded && environment === 'chromium' ? TARGETS.sentences : undefined;
    return {
      section,
      what: `int8 relaxed, beside transformers.js ${manner}${native}`,
      quintet: number(ours),
      peer: number(theirs),
      ratio: ours / theirs,
      ...verdict(target, ours / theirs),
    };
  });
}

function answerChecks(environment, { answers }) {
  return answers.map(({ name, reference, precision, cosine }) => {
    const isOurs = name.startsWith('quintet');
    return {
      section: `${ENVIRONMENT_NAMES[environment]}: least cosine to ${reference}, same token ids`,
      what: name,
      [isOurs ? 'quintet' : 'peer']: cosine.toFixed(7),
      ...verdict(isOurs ? TARGETS.cosine[precision] : undefined, cosine),
    };
  });
}

function coldStartChecks(environment, { coldStarts }) {
  const ours = coldStarts[quintetName('relaxed', 'int8')].times;
  const theirs = coldStarts[onnxRuntimeName('int8')].times;
  const check = comparison(
    `${ENVIRONMENT_NAMES[environment]}: cold start to the first vector, int8, milliseconds, best / median`,
    'import, compile, load, embed',
    ours,
    theirs,
  );
  return [{ ...check, ...verdict(TARGETS.coldStartMilliseconds[environment], ours.median) }];
}

function searchChecks(environment, { searches }) {
  return Object.entries(searches).map(([storage, time]) => ({
    section: `${ENVIRONMENT_NAMES[environment]}: search of 100,000 x 384, milliseconds, best / median`,
    what: storage,
    quintet: `${number(time.best)} / ${number(time.median)}`,
    ...verdict(TARGETS.searchMilliseconds[storage], time.median),
  }));
}

function memoryChecks({ coldStarts }, modelBytes) {
  const section = 'Node 24: memory with the int8 model, MB';
  const ours = coldStarts[quintetName('relaxed', 'int8')];
  const theirs = coldStarts[onnxRuntimeName('int8')];
  const line = (what, key, target) => {
    const [mine, their] = [ours[key] / MEGABYTE, theirs[key] / MEGABYTE];
    return {
      section,
      what,
      quintet: number(mine),
      peer: number(their),
      ratio: their / mine,
      ...verdict(target, mine),
    };
  };
  const beyond = (ours.wasmBytesLoaded - 1.15 * modelBytes) / MEGABYTE;
  return [
    line('peak resident set, after the first vector', 'peakBytesFirst', TARGETS.residentMegabytes),
    line('peak resident set, after 32 x 64 tokens as well', 'peakBytes', TARGETS.residentMegabytes),
    line('wasm memory when the model is loaded', 'wasmBytesLoaded'),
    {
      section,
      what: `the same beyond 1.15 x the file of ${number(modelBytes / MEGABYTE)} MB`,
      quintet: number(beyond),
      ...verdict(TARGETS.wasmMegabytesBeyondFile, beyond),
    },
  ];
}

function downloadChecks({ downloads }) {
  if (!downloads) return [];
  const section = 'Download of a page, kB with brotli';
  const ours = downloads[quintetName('relaxed', 'int8')];
  const theirs = downloads[onnxRuntimeName('int8')];
  return Object.keys(ours).map((kind) => {
    const [mine, their] = [ours[kind] / KILOBYTE, theirs[kind] / KILOBYTE];
    const target = TARGETS.brotliKilobytes[kind];
    return {
      section,
      what: kind,
      quintet: number(mine),
      peer: number(their),
      ratio: their / mine,
      ...verdict(target, mine),
    };
  });
}

function kernelChecks(kernels, { times }) {
  const section = 'Node 24: GEMMs of one pass over 128 tokens';
  return PRECISIONS.flatMap((precision) => {
    const { milliseconds, shareOfPeak } = linearLayerTime(kernels, precision, 'relaxed', 128);
    const outside = 1 - milliseconds / times[quintetName('relaxed', precision)]['1x128'].best;
    return [
      {
        section,
        what: `${precision}: share of the instruction set's peak`,
        quintet: percent(shareOfPeak),
        ...verdict(TARGETS.gemmShareOfPeak[precision], shareOfPeak),
      },
      {
        section,
        what: `${precision}: share of the pass outside the GEMMs`,
        quintet: percent(outside),
        ...verdict(TARGETS.shareOutsideGemms, outside),
      },
    ];
  });
}

function verdict(target, value) {
  return target ? { target: target.text, met: target.isMet(value) } : {};
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function number(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
