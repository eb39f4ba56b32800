// The shapes of encoders that people use. Speed does not depend on the values of the weights, so they are random. The
// vocabulary is that of MiniLM in all of them: it does not matter to the speed, and that of E5 would take 380 MB.
import { MINILM } from '../embedder/model/shape.mjs';

const base = { ...MINILM, layers: 12, hidden: 768, intermediate: 3072 };

const modern = {
  layers: 22, hidden: 768, heads: 12, intermediate: 1152, vocabulary: MINILM.vocabulary, positions: 8192, normEpsilon: 1e-5,
  window: 128, globalEvery: 3, globalTheta: 160000, localTheta: 10000,
};

export const SHAPES = [
  { name: 'multilingual-e5-small', shape: { ...MINILM, layers: 12 }, jobs: ['1x128', '32x64', 'mixed'] },
  { name: 'bge-base', shape: base, jobs: ['1x128', '32x64', 'mixed'] },
  { name: 'ModernBERT-base', shape: modern, modern: true, jobs: ['1x128', '32x64', 'mixed'] },
  { name: 'ms-marco-MiniLM-L6', shape: MINILM, jobs: ['pairs'], ranks: true },
];

/** Speed relative to onnxruntime-web at the same precision. */
export const TARGETS = { fp32: 1.6, int8: 2, padded: 4 };

/** The peer pads the texts of these jobs to the longest one of a batch. */
export const PADDED_JOBS = ['mixed'];
