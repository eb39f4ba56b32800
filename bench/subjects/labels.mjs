// Classifiers of texts and of their tokens compared with onnxruntime-web: same weights, same token ids, in Node 24. In
// one thread the figures are processor time, which is more reliable than a clock on a busy machine.
//   [--only NAME] [--precision NAME] [--threads N]
import { join } from 'node:path';

import { agreement, atLeast, faster } from '../harness/lines.mjs';
import { match } from '../harness/rounds.mjs';
import { summary } from '../harness/statistics.mjs';
import { LONGEST_LABEL_TEXT, labelJobs } from '../jobs/texts.mjs';
import { LABEL_MODELS, labelOf, prepareLabelModel } from '../models/encoder/label_models.mjs';

const PRECISIONS = ['fp32', 'int8'];

export const peers = ['onnxruntime-web'];
export const options = {
  only: { type: 'string', choices: Object.keys(LABEL_MODELS) },
  precision: { type: 'string', choices: PRECISIONS },
  threads: { type: 'string' },
};
/** Times in milliseconds. */
export const paces = {
  quick: { rounds: 2, warmUp: 300, slice: 300 },
  full: { rounds: 5, warmUp: 1500, slice: 1500 },
};

/** Speed relative to onnxruntime-web at the same precision; it pads the texts of `mixed` to the longest of a batch. */
const TARGETS = { fp32: atLeast(1.6), int8: atLeast(2) };
const PADDED = { mixed: atLeast(4) };

/** The largest difference of the probabilities of both, and the share of token labels that may differ. */
const LARGEST_ERROR = { fp32: 1e-3, int8: 0.2 };
const OTHER_LABELS = { fp32: 0.002, int8: 0.2 };

const MODULE = join(import.meta.dirname, '../contestants/labels.mjs');

export async function measure({ pace, options }) {
  const threads = Number(options.threads ?? 1);
  const jobs = await labelJobs();
  const rows = [];
  for (const name of Object.keys(LABEL_MODELS).filter((each) => [each, undefined].includes(options.only))) {
    const files = await prepareLabelModel(name, LONGEST_LABEL_TEXT);
    for (const precision of PRECISIONS.filter((each) => [each, undefined].includes(options.precision))) {
      const { times, answers } = await match({
        title: `${name} ${precision}`,
        contestants: contestantsOf(LABEL_MODELS[name], files, precision, threads),
        jobs,
        answers: Object.keys(jobs),
        pace,
        cpuTime: threads === 1,
      });
      const [ours, theirs] = [times.quintet, times['onnxruntime-web']];
      for (const job of Object.keys(jobs)) {
        const difference = differenceOf(answers.quintet[job], answers['onnxruntime-web'][job]);
        rows.push({ name, precision, job, ours: summary(ours[job]), theirs: summary(theirs[job]), difference });
      }
    }
  }
  return { threads, rows };
}

function contestantsOf({ dense, labels }, { folder, onnx }, precision, threads) {
  const common = { perToken: !dense, labels: Array.from({ length: labels }, (_, i) => labelOf(i)), threads };
  return [
    { name: 'quintet', module: MODULE, library: 'quintet', options: { ...common, folder, precision } },
    {
      name: 'onnxruntime-web',
      module: MODULE,
      library: 'onnxruntime-web',
      options: { ...common, model: onnx[precision] },
    },
  ];
}

/** { largest, others }: the largest difference of probabilities, and the share of labels that differ. */
function differenceOf(ours, theirs) {
  const pairs = ours.flatMap((answers, i) => answers.map((answer, j) => [answer, theirs[i][j]]));
  const alike = pairs.filter(([[label], [expected]]) => label === expected);
  const errors = alike.map(([[, score], [, expected]]) => Math.abs(score - expected));
  return { largest: Math.max(...errors), others: 1 - alike.length / pairs.length };
}

export function sections({ threads, rows }) {
  const linesOf = ({ precision, job, ours, theirs, difference }) => [
    faster(`${precision}, ${job}`, ours, theirs, PADDED[job] ?? TARGETS[precision]),
    agreement(
      `${precision}, ${job}: the same answers`,
      difference.largest <= LARGEST_ERROR[precision] && difference.others <= OTHER_LABELS[precision],
    ),
  ];
  const unit = threads === 1 ? 'milliseconds of processor time' : `milliseconds, ${threads} threads`;
  return [...new Set(rows.map(({ name }) => name))].map((model) => ({
    title: `${model}: ${unit}, best / median`,
    lines: rows.filter(({ name }) => name === model).flatMap(linesOf),
  }));
}
