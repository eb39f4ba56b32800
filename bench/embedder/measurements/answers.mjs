// Whether the contestants compute the same: the least cosine over the texts of a batch.
import { onnxRuntimeName, quintetName, TRANSFORMERS } from '../contestants.mjs';
import { cosine } from '../../shared/statistics.mjs';

const BATCHES = ['1x16', '1x128', '32x64'];
const REFERENCE = onnxRuntimeName('fp32');

/** Pairs that are compared: [a, b, what the cosine tells]. */
const COMPARISONS = [
  [quintetName('relaxed', 'fp32'), REFERENCE, 'fp32'],
  [quintetName('baseline', 'fp32'), REFERENCE, 'fp32'],
  [quintetName('relaxed', 'int8'), REFERENCE, 'int8'],
  [quintetName('baseline', 'int8'), REFERENCE, 'int8'],
  [onnxRuntimeName('int8'), REFERENCE, 'int8'],
  [TRANSFORMERS, REFERENCE, 'int8'],
];

export async function compareAnswers(stages) {
  const vectors = new Map();
  for (const { contestant, call } of stages) {
    const lists = [];
    for (const batch of BATCHES) lists.push(...(await call('vectors', batch)));
    vectors.set(contestant.name, lists);
  }
  return COMPARISONS.map(([name, reference, precision]) => ({
    name,
    reference,
    precision,
    cosine: leastCosine(vectors.get(name), vectors.get(reference)),
  }));
}

function leastCosine(a, b) {
  return Math.min(...a.map((vector, i) => cosine(vector, b[i])));
}
