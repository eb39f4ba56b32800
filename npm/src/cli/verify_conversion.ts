// Does a converted model say what the model it came from says?
import { Embedder, type ModelSource } from '../node.js';

/** Short and long, plain and odd: what goes wrong in one tensor shows in one of them. */
const PROBES = [
  'The cat sat on the mat.',
  'How do I reset my password?',
  'Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.',
  'naïve café, 12.5 % — and 3 more!',
  'In 1903 the brothers flew for twelve seconds. '.repeat(8),
];

/** Lowest cosine between the two models' vectors over the probes. */
export async function lowestCosine(before: ModelSource, after: ModelSource): Promise<number> {
  const expected = await embedProbes(before);
  const actual = await embedProbes(after);
  return Math.min(...expected.map((vector, i) => dot(vector, actual[i]!)));
}

async function embedProbes(source: ModelSource): Promise<Float32Array[]> {
  const embedder = await Embedder.load(source);
  try {
    return await embedder.embed(PROBES);
  } finally {
    embedder.close();
  }
}

/** The cosine, as the vectors have length 1. */
function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
