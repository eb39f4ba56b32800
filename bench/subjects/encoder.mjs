// Embedders of other shapes and a reranker compared with onnxruntime-web: same weights, same token ids, in one thread of
// Node 24. The figures are processor time, which is more reliable than a clock on a busy machine.
//   [--only NAME] [--job NAME]
import { join } from 'node:path';

import { agreement, atLeast, faster } from '../harness/lines.mjs';
import { match } from '../harness/rounds.mjs';
import { leastCosine, summary } from '../harness/statistics.mjs';
import { encoderJobs, LONGEST_TEXT } from '../jobs/texts.mjs';
import { MINILM } from '../models/encoder/bert.mjs';
import { prepareEncoder } from '../models/encoder/prepare.mjs';

const MODERN = {
  layers: 22,
  hidden: 768,
  heads: 12,
  intermediate: 1152,
  vocabulary: MINILM.vocabulary,
  positions: 8192,
  normEpsilon: 1e-5,
  window: 128,
  globalEvery: 3,
  globalTheta: 160000,
  localTheta: 10000,
};
const BATCHES = ['1x128', '32x64', 'mixed'];

/**
 * Encoders that people use. Speed does not depend on the values of the weights, so they are random. All have the
 * vocabulary of MiniLM: it does not affect the speed, and E5's would need 380 MB.
 */
const SHAPES = [
  { name: 'multilingual-e5-small', shape: { ...MINILM, layers: 12 }, jobs: BATCHES },
  { name: 'bge-base', shape: { ...MINILM, layers: 12, hidden: 768, intermediate: 3072 }, jobs: BATCHES },
  { name: 'ModernBERT-base', shape: MODERN, modern: true, jobs: BATCHES },
  { name: 'ms-marco-MiniLM-L6', shape: MINILM, jobs: ['pairs'], ranks: true },
];
const PRECISIONS = ['fp32', 'int8'];

export const peers = ['onnxruntime-web'];
export const options = {
  only: { type: 'string', choices: SHAPES.map(({ name }) => name) },
  job: { type: 'string', choices: [...BATCHES, 'pairs'] },
};
/** Times in milliseconds. */
export const paces = {
  quick: { rounds: 2, warmUp: 300, slice: 300 },
  full: { rounds: 5, warmUp: 1500, slice: 1500 },
};

/** Speed relative to onnxruntime-web at the same precision; it pads the texts of `mixed` to the longest of a batch. */
const TARGETS = { fp32: atLeast(1.6), int8: atLeast(2) };
const PADDED = { mixed: atLeast(4) };

/** Limits on the difference between the two results: vectors of length 1, and logits of rerankers. */
const LEAST_COSINE = { fp32: 0.99999, int8: 0.97 };
const LARGEST_ERROR = { fp32: 1e-3, int8: 0.5 };

const MODULE = join(import.meta.dirname, '../contestants/encoder.mjs');

export async function measure({ pace, options }) {
  const all = await encoderJobs();
  const rows = [];
  for (const row of SHAPES.filter(({ name }) => options.only === undefined || name === options.only)) {
    const names = row.jobs.filter((job) => options.job === undefined || job === options.job);
    const jobs = Object.fromEntries(names.map((job) => [job, all[job]]));
    const files = await prepareEncoder(row, LONGEST_TEXT);
    for (const precision of PRECISIONS) {
      const { times, answers } = await match({
        title: `${row.name} ${precision}`,
        contestants: contestantsOf(row, files, precision),
        jobs,
        answers: names,
        pace,
        cpuTime: true,
      });
      const [ours, theirs] = [times.quintet, times['onnxruntime-web']];
      for (const job of names) {
        const agrees = near(answers.quintet[job], answers['onnxruntime-web'][job], precision, row.ranks);
        rows.push({ name: row.name, precision, job, ours: summary(ours[job]), theirs: summary(theirs[job]), agrees });
      }
    }
  }
  return rows;
}

const contestantsOf = ({ ranks = false }, { folder, onnx, head }, precision) => [
  { name: 'quintet', module: MODULE, library: 'quintet', options: { folder, ranks, precision } },
  { name: 'onnxruntime-web', module: MODULE, library: 'onnxruntime-web', options: { model: onnx[precision], head } },
];

const near = (ours, theirs, precision, ranks) =>
  ranks
    ? ours.every(([logit], i) => Math.abs(logit - theirs[i][0]) <= LARGEST_ERROR[precision])
    : leastCosine(ours, theirs) >= LEAST_COSINE[precision];

export function sections(rows) {
  const linesOf = ({ precision, job, ours, theirs, agrees }) => [
    faster(`${precision}, ${job}`, ours, theirs, PADDED[job] ?? TARGETS[precision]),
    agreement(`${precision}, ${job}: the same answers`, agrees),
  ];
  return [...new Set(rows.map(({ name }) => name))].map((shape) => ({
    title: `${shape}: milliseconds of processor time, best / median`,
    lines: rows.filter(({ name }) => name === shape).flatMap(linesOf),
  }));
}
