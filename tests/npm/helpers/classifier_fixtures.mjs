// Image networks: the fixtures that can run, with results of independent code.
import { readFileSync } from 'node:fs';
import { ImageClassifier } from 'quintet';
import { fixtureFile, fixturePath } from './model_fixtures.mjs';

export const threads = [
  ['in this thread', false],
  ['in a worker', true],
];

/** The generator of the fixtures' inputs: tests/fixtures/tinyruntime/README.md. */
function generated(seed, count) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 8) / 2 ** 24 - 0.5) * 4;
  });
}

const inputOf = (folder, { lcg_seed: seed, file, shape }) =>
  file
    ? new Float32Array(fixtureFile(`${folder}/${file}`).buffer)
    : generated(
        seed,
        shape.reduce((a, b) => a * b),
      );

/** { path, kind, shape, input(), logits, probabilities, tolerance: { logits_abs, probabilities_abs } } */
export const runCases = ['tinyruntime', 'resnet'].flatMap((folder) =>
  JSON.parse(readFileSync(fixturePath(`${folder}/expected.json`), 'utf8')).flatMap(({ file, expect }) =>
    (expect.runs ?? []).map(({ input, logits, probabilities, tolerance }) => ({
      path: `${folder}/${file}`,
      kind: expect.inspect.kind,
      shape: input.shape,
      input: () => inputOf(folder, input),
      logits,
      probabilities,
      tolerance,
    })),
  ),
);

/** A small input of a float network, one of a dynamically and one of a statically quantized one. */
export const smallCases = ['vanilla', 'dq8', 'sq8'].map((kind) =>
  runCases.find(({ path, shape, kind: found }) => found === kind && /plain/.test(path) && shape[1] < 200),
);
export const [small] = smallCases;

/** Loads a model, runs a test with it, and closes it. */
export async function withClassifier(source, options, test) {
  const classifier = await ImageClassifier.load(source, options);
  try {
    return await test(classifier);
  } finally {
    classifier.close();
  }
}

export function softmax(logits) {
  const top = Math.max(...logits);
  const weights = Array.from(logits, (logit) => Math.exp(logit - top));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / sum);
}
