// The number of weights of a model, and of those that compute one token, compared with @huggingface/gguf.

import { gguf } from '@huggingface/gguf';
import { expect, test } from '@jest/globals';
import { inspect, TextGenerator } from 'quintet';
import { fixturePath } from '../helpers/model_fixtures.mjs';

async function counted(path) {
  const { metadata, tensorInfos } = await gguf(path, { allowLocalFile: true });
  const architecture = metadata['general.architecture'];
  const experts = metadata[`${architecture}.expert_count`] ?? 1;
  const used = metadata[`${architecture}.expert_used_count`] ?? 1;
  const counts = { total: 0, active: 0 };
  for (const { name, shape } of tensorInfos) {
    const weights = shape.reduce((product, size) => product * Number(size), 1);
    counts.total += weights;
    counts.active += name.includes('_exps') ? (weights / experts) * used : weights;
  }
  return counts;
}

test.each(['olmoe', 'qwen2moe', 'lfm2moe', 'granitemoe-shared', 'qwen3'])('%s', async (name) => {
  const path = fixturePath(`families/${name}.gguf`);
  const expected = await counted(path);
  expect(expected.active < expected.total).toBe(name !== 'qwen3');
  expect((await inspect(path)).parameters).toEqual(expected);
  const model = await TextGenerator.load(path);
  expect(model.info.parameters).toEqual(expected);
  model.close();
});
