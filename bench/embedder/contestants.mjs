// Who takes part, and in what.
import { MODEL_FILES, MODEL_NAME, urlPath } from './paths.mjs';

export const ENVIRONMENTS = ['node', 'chromium'];
export const PRECISIONS = ['fp32', 'int8'];
export const LATENCY_BATCHES = ['1x16', '1x64', '1x128', '1x256', '32x64'];
export const SENTENCE_BATCHES = ['sentences', 'sentences one by one'];

const QUINTET_VARIANTS = ['relaxed', 'baseline'];

/** All contestants of an environment: { name, options for Stage.open, batches }. */
export function contestantsOf(environment, { peersOnly = false } = {}) {
  const path = environment === 'chromium' ? urlPath : (file) => file;
  const contestants = [];
  for (const precision of PRECISIONS) {
    for (const variant of peersOnly ? [] : QUINTET_VARIANTS) {
      const options = { library: 'quintet', model: path(MODEL_FILES.quintet[precision]), variant };
      const sentences = precision === 'int8' && variant === 'relaxed' ? ['sentences'] : [];
      contestants.push({
        name: quintetName(variant, precision),
        options,
        batches: [...LATENCY_BATCHES, ...sentences],
      });
    }
    contestants.push({
      name: onnxRuntimeName(precision),
      options: { library: 'onnxruntime-web', model: path(MODEL_FILES.onnx[precision]) },
      batches: LATENCY_BATCHES,
    });
  }
  contestants.push({
    name: TRANSFORMERS,
    options: { library: 'transformers.js', modelName: MODEL_NAME },
    batches: SENTENCE_BATCHES,
  });
  return contestants;
}

export const TRANSFORMERS = 'transformers.js int8';

export function quintetName(variant, precision) {
  return `quintet ${variant} ${precision}`;
}

export function onnxRuntimeName(precision) {
  return `onnxruntime-web ${precision}`;
}
