// The towers of models for pictures and texts. A job is { tower, seed } with `ids` of a text.
import { INPUT_CHANNELS, INPUT_SIDE } from '../models/resnet/resnet.mjs';
import { inputOf } from './cnn.mjs';
import { openSession } from './embedder.mjs';

const SHAPE = [INPUT_CHANNELS, INPUT_SIDE, INPUT_SIDE];

export const contestants = { quintet: openQuintet, 'onnxruntime-web': openOnnxRuntime };

/** Vectors of length 1 as plain arrays, which cross process borders. */
const ofVectors = (vectorOf) => ({
  run: vectorOf,
  answers: async (job) => {
    const vector = Array.from(await vectorOf(job));
    const length = Math.hypot(...vector);
    return [vector.map((value) => value / length)];
  },
});

const planes = new Map();
/** Made before anything is timed: `answers` are computed first. */
function planesOf(seed) {
  if (!planes.has(seed)) planes.set(seed, inputOf(seed));
  return planes.get(seed);
}

async function openQuintet({ model, variant, quantize, threads = 1 }, platform) {
  const { ImageEmbedder } = await platform.importLibrary('quintet');
  const embedder = await ImageEmbedder.load(platform.modelSource(model), {
    variant,
    threads,
    ...(quantize && { quantize }),
  });
  return ofVectors(({ tower, seed, ids }) =>
    tower === 'image' ? embedder.embedPixels(planesOf(seed), SHAPE) : embedder.embedIds(ids),
  );
}

/** `models`: a file for each tower. */
async function openOnnxRuntime({ models, threads }, platform) {
  const sessions = {};
  for (const [tower, model] of Object.entries(models)) {
    sessions[tower] = await openSession({ model, threads }, platform);
  }
  return ofVectors(async ({ tower, seed, ids }) => {
    const { ort, session } = sessions[tower];
    const image =
      tower === 'image'
        ? new ort.Tensor('float32', planesOf(seed), [1, ...SHAPE])
        : new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
    return (await session.run({ image })).logits.data;
  });
}
