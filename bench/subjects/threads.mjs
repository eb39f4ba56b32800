// quintet in several threads compared with itself in one, and with onnxruntime-web in the same number: the work of
// other subjects, in Node 24.
//   [--threads N]
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { agreement, atLeast, bestAndMedian, fasterAtBest, verdict } from '../harness/lines.mjs';
import { match, takeTurns, withStages } from '../harness/rounds.mjs';
import { equal, median, summary } from '../harness/statistics.mjs';
import { ANSWER_TOKENS, promptIds } from '../jobs/decoding.mjs';
import { embedderJobs } from '../jobs/texts.mjs';
import { prepareModels as prepareDecoder, quintetFile } from '../models/decoder/prepare.mjs';
import { SHAPES } from '../models/decoder_shapes.mjs';
import { MODEL_FILES, prepareEmbedder } from '../models/encoder/prepare.mjs';
import { modelFiles, prepareModels as prepareNetworks } from '../models/resnet/prepare.mjs';

export const peers = ['onnxruntime-web'];
export const options = { threads: { type: 'string' } };
/** Times in milliseconds. */
export const paces = {
  quick: {
    texts: { rounds: 2, warmUp: 120, slice: 120 },
    pictures: { rounds: 3, warmUp: 1000, slice: 400 },
    decoderRounds: 1,
  },
  full: {
    texts: { rounds: 8, warmUp: 400, slice: 400 },
    pictures: { rounds: 10, warmUp: 2500, slice: 800 },
    decoderRounds: 5,
  },
};

/** The speedup that two threads must reach, where the work is in matrices and not in reading memory. */
const TARGET = atLeast(1.7);

const moduleOf = (subject) => join(import.meta.dirname, `../contestants/${subject}.mjs`);
const BATCHES = ['1x128', '32x64'];
const NETWORK = 'ResNet-18';
const DECODER = 'TinyLlama-1.1B';

export async function measure({ pace, options }) {
  const threads = Number(options.threads ?? availableParallelism());
  const jobs = [
    ...(await measureEmbedder(threads, pace.texts)),
    ...(await measureNetworks(threads, pace.pictures)),
    ...(await measureDecoder(threads, pace.decoderRounds)),
  ];
  return { threads, jobs };
}

/** quintet in one thread and in several, and a rival in several, each with its model. */
function trio(threads, subject, { ours, theirs }) {
  const contestant = (name, library, options) => ({ name, module: moduleOf(subject), library, options });
  return [
    contestant('alone', 'quintet', { variant: 'relaxed', model: ours, threads: 1 }),
    contestant('several', 'quintet', { variant: 'relaxed', model: ours, threads }),
    ...(theirs ? [contestant('peer', 'onnxruntime-web', { model: theirs, threads })] : []),
  ];
}

/**
 * { name, unit, alone, several, peer, same } of each job: figures, and whether quintet's answers were the same bits.
 */
async function compare(contestants, { nameOf, ...rest }) {
  const { times, answers } = await match({ contestants, ...rest });
  return rest.timed.map((job) => ({
    name: nameOf(job),
    unit: 'ms',
    ...Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, summary(samples[job])])),
    same: equal(answers.alone, answers.several),
  }));
}

async function measureEmbedder(threads, pace) {
  await prepareEmbedder();
  const jobs = await embedderJobs();
  const measured = [];
  for (const precision of ['fp32', 'int8']) {
    const contestants = trio(threads, 'embedder', {
      ours: MODEL_FILES.quintet[precision],
      theirs: MODEL_FILES.onnx[precision],
    });
    const title = `MiniLM ${precision}`;
    const nameOf = (batch) => `${title}, ${batch} tokens`;
    measured.push(...(await compare(contestants, { title, nameOf, jobs, answers: ['1x128'], timed: BATCHES, pace })));
  }
  return measured;
}

async function measureNetworks(threads, pace) {
  await prepareNetworks([NETWORK]);
  const { quintet, onnx } = modelFiles(NETWORK);
  const jobs = { 'picture 1': 1, 'picture 2': 2, 'picture 3': 3, 'picture 4': 4 };
  const measured = [];
  for (const [form, theirs] of Object.entries({ fp32: onnx.fp32, sq8: onnx.int8, dq8: undefined })) {
    const title = `${NETWORK} ${form}`;
    const settings = { title, nameOf: () => title, jobs, answers: Object.keys(jobs), timed: ['picture 1'], pace };
    measured.push(...(await compare(trio(threads, 'cnn', { ours: quintet[form], theirs }), settings)));
  }
  return measured;
}

async function measureDecoder(threads, rounds) {
  await prepareDecoder([DECODER]);
  const ids = promptIds(SHAPES[DECODER].vocabulary);
  return withStages(trio(threads, 'decoder', { ours: quintetFile(DECODER) }), {}, async (stages) => {
    const { alone, several } = await takeTurns(stages, { rounds, title: DECODER }, ({ call }) =>
      call('generate', ids, ANSWER_TOKENS),
    );
    const [expected, answer] = await Promise.all(stages.map(({ call }) => call('likeliest', ids, 100)));
    const rates = (samples) => ({ best: Math.max(...samples), median: median(samples) });
    return ['prefill', 'decode'].map((phase) => ({
      name: `${DECODER}, ${phase}`,
      unit: 'tokens/s',
      alone: rates(alone[phase]),
      several: rates(several[phase]),
      same: equal(expected, answer),
    }));
  });
}

export function sections({ threads, jobs }) {
  const judged = ({ name }) => threads === 2 && !name.endsWith('decode');
  const withPeers = jobs.filter(({ peer }) => peer);
  return [
    {
      title: `${threads} threads beside one: best / median`,
      lines: jobs.map((job) => beside(job, job.alone, judged(job) ? TARGET : undefined)),
    },
    {
      title: `${threads} threads beside onnxruntime-web: best / median`,
      lines: withPeers.map((job) => beside(job, job.peer)),
    },
    { title: 'answers: the same bits as in one thread', lines: jobs.map(({ name, same }) => agreement(name, same)) },
  ];
}

function beside({ name, unit, several }, other, target) {
  const what = `${name}, ${unit}`;
  if (unit === 'ms') return fasterAtBest(what, several, other, target);
  const ratio = several.best / other.best;
  return { what, quintet: bestAndMedian(several), peer: bestAndMedian(other), ratio, ...verdict(target, ratio) };
}
