// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }. Lines without a
// target only inform.
import { cosine } from '../shared/statistics.mjs';
import { ENVIRONMENTS, FORMS, onnxRuntimeName, quintetName, rivalsOf, TFJS, VARIANTS } from './contestants.mjs';
import { INPUT_SIDE, largestActivation, resnet } from './model/resnet.mjs';
import { TARGETS } from './targets.mjs';

const MEGABYTE = 1e6;
const KILOBYTE = 1e3;
/** Bytes of an activation's value, as the formats define them. */
const ACTIVATION_BYTES = { fp32: 4, sq8: 1, dq8: 4 };

export function checksOf({ network, environments, others }) {
  return [
    ...Object.entries(environments).flatMap(([environment, result]) => [
      ...speedChecks(network, environment, result, TARGETS.speedup),
      ...answerChecks(network, environment, result),
      ...coldStartChecks(network, environment, result),
      ...pictureChecks(environment, result),
    ]),
    ...memoryChecks(network, environments.node),
    ...downloadChecks(environments.chromium),
    ...Object.entries(others).flatMap(([name, results]) =>
      Object.entries(results).flatMap(([environment, result]) => [
        ...speedChecks(name, environment, result, {}),
        ...answerChecks(name, environment, result),
      ]),
    ),
  ];
}

function speedChecks(network, environment, { times, cpuTime }, targets) {
  const clock = cpuTime ? 'milliseconds of processor time' : 'milliseconds';
  const section = `${network}, ${ENVIRONMENTS[environment].name}: ${clock}, best / median`;
  return VARIANTS.flatMap((variant) =>
    FORMS.flatMap((form) => {
      const ours = times[quintetName(variant, form)];
      if (!ours) return [];
      return rivalsOf(form).map((rival) =>
        comparison(section, `${form} ${variant}, beside ${rival}`, ours, times[rival], targets[variant]?.[form]?.[rival]),
      );
    }),
  );
}

function comparison(section, what, ours, theirs, target) {
  const ratio = theirs.median / ours.median;
  return { section, what, quintet: bestAndMedian(ours), peer: bestAndMedian(theirs), ratio, ...verdict(target, ratio) };
}

function answerChecks(network, environment, { logits }) {
  const place = `${network}, ${ENVIRONMENTS[environment].name}`;
  const reference = logits[onnxRuntimeName('fp32')];
  const line = (section, name, text, target, value) => {
    const isOurs = name.startsWith('quintet');
    return {
      section: `${place}: ${section}`,
      what: name,
      [isOurs ? 'quintet' : 'peer']: text,
      ...verdict(isOurs ? target : undefined, value),
    };
  };
  const compared = Object.entries(logits).filter(([name]) => name !== onnxRuntimeName('fp32'));
  const lines = compared.map(([name, values]) => {
    if (name === TFJS || name.endsWith('fp32')) {
      const difference = largestDifference(values, reference);
      const title = `largest difference of logits to ${onnxRuntimeName('fp32')}, relative to the largest`;
      return line(title, name, difference.toExponential(1), TARGETS.difference, difference);
    }
    const least = Math.min(...values.map((value, i) => cosine(value, reference[i])));
    const title = `least cosine of logits to ${onnxRuntimeName('fp32')}`;
    return line(title, name, least.toFixed(6), TARGETS.cosine, least);
  });
  return [...lines, ...equalityChecks(place, logits)];
}

function largestDifference(lists, references) {
  const ratios = lists.map((values, i) => {
    const differences = values.map((value, j) => Math.abs(value - references[i][j]));
    return Math.max(...differences) / Math.max(...references[i].map(Math.abs));
  });
  return Math.max(...ratios);
}

function equalityChecks(place, logits) {
  return ['sq8', 'dq8'].flatMap((form) => {
    const [relaxed, baseline] = VARIANTS.map((variant) => logits[quintetName(variant, form)]?.flat());
    if (!relaxed || !baseline) return [];
    const unequal = relaxed.filter((value, i) => value !== baseline[i]).length;
    return [
      {
        section: `${place}: logits that differ between relaxed and baseline`,
        what: form,
        quintet: `${unequal} of ${relaxed.length}`,
        ...verdict(form === 'sq8' ? TARGETS.unequalLogits : undefined, unequal),
      },
    ];
  });
}

function coldStartChecks(network, environment, { coldStarts }) {
  const section = `${network}, ${ENVIRONMENTS[environment].name}: cold start to the first logits, milliseconds, best / median`;
  return FORMS.flatMap((form) =>
    rivalsOf(form).map((rival) => {
      const [ours, theirs] = [quintetName('relaxed', form), rival].map((name) => coldStarts[name].times);
      return comparison(section, `${form} relaxed, beside ${rival}`, ours, theirs);
    }),
  );
}

function pictureChecks(environment, { pictures }) {
  const section = `${ENVIRONMENTS[environment].name}: from a picture's file to labels, sq8 relaxed, milliseconds, best / median`;
  return pictures.flatMap(({ name, pixels, bytes, classify, network }) => {
    const preparing = classify.best - network.best;
    const rate = pixels / (1000 * preparing);
    return [
      { section, what: `${name}, ${number(bytes / KILOBYTE)} kB`, quintet: bestAndMedian(classify) },
      {
        section,
        what: `of it decoding, scaling to ${INPUT_SIDE} x ${INPUT_SIDE}: ${number(rate)} million pixels a second`,
        quintet: number(preparing),
      },
    ];
  });
}

function memoryChecks(network, { coldStarts }) {
  const section = `${network}, Node 24: memory, MB`;
  return FORMS.flatMap((form) => {
    const ours = coldStarts[quintetName('relaxed', form)];
    const activation = largestActivation(resnet(network)) * ACTIVATION_BYTES[form];
    const beyond = (ours.wasmBytes - ours.weightBytes - 3 * activation) / MEGABYTE;
    const beside = (rival) => {
      const theirs = coldStarts[rival];
      const line = (what, key) => ({
        section,
        what: `${form}: ${what}, beside ${rival}`,
        quintet: number(ours[key] / MEGABYTE),
        peer: number(theirs[key] / MEGABYTE),
        ratio: theirs[key] / ours[key],
      });
      return [line('peak of the wasm memory', 'wasmBytes'), line('peak resident set of the process', 'residentBytes')];
    };
    return [
      { section, what: `${form}: weights`, quintet: number(ours.weightBytes / MEGABYTE) },
      { section, what: `${form}: the largest activation`, quintet: number(activation / MEGABYTE) },
      {
        section,
        what: `${form}: peak of the wasm memory beyond weights + 3 x the largest activation`,
        quintet: number(beyond),
        ...verdict(TARGETS.megabytesBeyond, beyond),
      },
      ...rivalsOf(form).flatMap(beside),
    ];
  });
}

function downloadChecks({ downloads }) {
  if (!downloads) return [];
  const section = 'Download of a page, kB with brotli';
  const ours = downloads[quintetName('relaxed', 'sq8')];
  return [onnxRuntimeName('int8'), TFJS].flatMap((rival) =>
    Object.keys(ours).map((kind) => ({
      section,
      what: `${kind}, beside ${rival.split(' ')[0]}`,
      quintet: number(ours[kind] / KILOBYTE),
      peer: number(downloads[rival][kind] / KILOBYTE),
      ratio: downloads[rival][kind] / ours[kind],
      ...verdict(TARGETS.brotliKilobytes[kind], ours[kind] / KILOBYTE),
    })),
  );
}

function bestAndMedian({ best, median }) {
  return `${number(best)} / ${number(median)}`;
}

function verdict(target, value) {
  return target ? { target: target.text, met: target.isMet(value) } : {};
}

function number(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
