// Text generators: the fixtures that can run, with what independent code computed of them in float64, and the bundled
// story model.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TextGenerator } from 'quintet';
import { storyteller } from '../../../models/index.js';
import { fixturePath, modelCases } from './model_fixtures.mjs';
import { readNpy, row } from './npy_reader.mjs';

export const story = fileURLToPath(storyteller);
export const threads = [
  ['in this thread', false],
  ['in a worker', true],
];

const json = (name) => JSON.parse(readFileSync(fixturePath(name), 'utf8'));
const typesOf = ({ expect }) => expect.inspect?.data_types ?? expect.inspect?.tensors?.map(({ dtype }) => dtype) ?? [];

/** { path, ids, rows: logits of each position, tolerance, greedy, greedyGap, perplexity } */
export const runCases = ['amb', 'alt'].flatMap((folder) =>
  json(`${folder}/runs.json`).map(({ file, ids, logits, tolerance, greedy, greedy_smallest_gap, perplexity }) => {
    const path = `${folder}/${file}`;
    const quantized = typesOf(modelCases.find((candidate) => candidate.path === path)).some((type) =>
      /^q?int|adaptive/i.test(type),
    );
    const expected = readNpy(fixturePath(logits));
    return {
      path,
      ids,
      rows: ids.map((_, i) => row(expected, i)),
      tolerance: quantized ? tolerance.abs_if_activations_are_8bit : tolerance.abs,
      greedy,
      greedyGap: greedy_smallest_gap,
      perplexity,
    };
  }),
);

/** Models with a tokenizer, and texts with their ids. */
export const tokenizerCases = modelCases
  .filter(({ path, expect }) => expect.tokenizer?.texts && expect.run !== null && /^a/.test(path))
  .map(({ path, expect }) => ({ path, texts: expect.tokenizer.texts, hasModel: expect.inspect.tensor_count !== 0 }));

/** Loads a model, runs a test with it, and closes it. */
export async function withGenerator(source, options, test) {
  const generator = await TextGenerator.load(source, options);
  try {
    return await test(generator);
  } finally {
    generator.close();
  }
}

export async function tokensOf(generation) {
  const tokens = [];
  for await (const token of generation) tokens.push(token);
  return tokens;
}

export const idsOf = async (generation) => (await tokensOf(generation)).map(({ id }) => id);
export const argmax = (values) => values.reduce((best, value, i) => (value > values[best] ? i : best), 0);

/** Natural logarithms of the probabilities. */
export function logSoftmax(logits) {
  const top = Math.max(...logits);
  const sum = logits.reduce((total, x) => total + Math.exp(x - top), 0);
  return Array.from(logits, (x) => x - top - Math.log(sum));
}
