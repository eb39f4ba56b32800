// What is measured: each job gives { name, unit, alone, several, peer, same } with the figures of quintet in one thread and in
// several, of onnxruntime-web in as many where it does the same work, and whether quintet's answers were the same bits.
import { prepareModels as prepareNetworks } from '../cnn/model/prepare.mjs';
import { modelFiles } from '../cnn/paths.mjs';
import { measureInRounds as measurePictures, PACE as PICTURE_PACE, withStages as withNetworks } from '../cnn/rounds.mjs';
import { prepareModels as prepareDecoder } from '../decoder/model/prepare.mjs';
import { quintetFile } from '../decoder/paths.mjs';
import { measureInRounds as measureText, withStages as withDecoders } from '../decoder/rounds.mjs';
import { SHAPES } from '../decoder/shapes.mjs';
import { promptIds } from '../decoder/workload.mjs';
import { prepareModels as prepareEmbedder } from '../embedder/model/prepare.mjs';
import { MODEL_FILES } from '../embedder/paths.mjs';
import { measureInRounds as measureTexts, PACE as TEXT_PACE, withStages as withEmbedders } from '../embedder/rounds.mjs';
import { makeBatches } from '../embedder/workload.mjs';
import { collectLogits } from '../cnn/measurements/answers.mjs';
import { summary } from '../shared/statistics.mjs';

const BATCHES = ['1x128', '32x64'];
const NETWORK = 'ResNet-18';
const DECODER = 'TinyLlama-1.1B';

/** quintet in one thread and in several, and a rival in several, with the same options but for its model. */
function trio(threads, ours, theirs, more = {}) {
  const contestant = (name, options) => ({ name, options, environment: 'node', ...more });
  return [
    contestant('alone', { library: 'quintet', variant: 'relaxed', model: ours, threads: 1 }),
    contestant('several', { library: 'quintet', variant: 'relaxed', model: ours, threads }),
    ...(theirs ? [contestant('peer', { library: 'onnxruntime-web', model: theirs, threads })] : []),
  ];
}

export async function measureEmbedder({ threads, pace, log }) {
  await prepareEmbedder();
  const batches = await makeBatches();
  const jobs = [];
  for (const precision of ['fp32', 'int8']) {
    log(`embedder, ${precision}`);
    const contestants = trio(threads, MODEL_FILES.quintet[precision], MODEL_FILES.onnx[precision], { batches: BATCHES });
    await withEmbedders('node', contestants, { batches }, async (stages) => {
      const times = await measureTexts(stages, { pace: { ...TEXT_PACE[pace], leaveOut: [] }, log });
      const vectors = await Promise.all(stages.slice(0, 2).map(({ call }) => call('vectors', '1x128')));
      for (const batch of BATCHES) {
        const figures = Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, summary(samples[batch])]));
        jobs.push({ name: `MiniLM ${precision}, ${batch} tokens`, unit: 'ms', ...figures, same: equal(...vectors) });
      }
    });
  }
  return jobs;
}

export async function measureNetworks({ threads, pace, log }) {
  await prepareNetworks([NETWORK]);
  const { quintet, onnx } = modelFiles(NETWORK);
  const jobs = [];
  for (const [form, rival] of Object.entries({ fp32: onnx.fp32, sq8: onnx.int8, dq8: undefined })) {
    log(`${NETWORK}, ${form}`);
    await withNetworks('node', trio(threads, quintet[form], rival), undefined, async (stages) => {
      const times = await measurePictures(stages, { pace: PICTURE_PACE[pace], log });
      const { alone, several } = await collectLogits(stages);
      const figures = Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, summary(samples)]));
      jobs.push({ name: `${NETWORK} ${form}`, unit: 'ms', ...figures, same: equal(alone, several) });
    });
  }
  return jobs;
}

export async function measureDecoder({ threads, pace, log }) {
  await prepareDecoder([DECODER]);
  const ids = promptIds(SHAPES[DECODER].vocabulary);
  log(DECODER);
  return withDecoders(trio(threads, quintetFile(DECODER)), undefined, async (stages) => {
    const rates = await measureText(stages, ids, { rounds: pace === 'quick' ? 1 : 5, log });
    const likeliest = await Promise.all(stages.map(({ call }) => call('likeliest', ids, 100)));
    return ['prefill', 'decode'].map((part) => ({
      name: `${DECODER}, ${part}`,
      unit: 'tokens/s',
      ...Object.fromEntries(Object.entries(rates).map(([name, figures]) => [name, figures[part]])),
      same: equal(...likeliest),
    }));
  });
}

const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);
