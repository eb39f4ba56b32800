// Each family of decoders beside llama.cpp (tests/fixtures/families/README.md): from GGUF, from a Hugging Face folder, and
// from the AMB files that both become.
import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { TextGenerator, convert, inspect } from 'quintet';
import { failureOf } from './fixtures.mjs';
import { fixturePath } from './model_fixtures.mjs';

/** `model` is the name of the files, if it is not the id; `load` are options. */
const cases = JSON.parse(readFileSync(fixturePath('families/expected.json'), 'utf8')).map((model) => ({
  model: model.id,
  load: {},
  ...model,
}));
const loaded = [];
afterAll(() => loaded.forEach((generator) => generator.close()));

const folderOf = (id) => fixturePath(`families/${id}`);
const fileOf = (id) => fixturePath(`families/${id}.gguf`);
const filesOf = (id) => ({
  'config.json': `${folderOf(id)}/config.json`,
  'model.safetensors': `${folderOf(id)}/model.safetensors`,
});

async function asAmb(source) {
  return new Uint8Array(await new Response(convert(source, { to: 'amb' })).arrayBuffer());
}

const sources = [
  ['GGUF', fileOf],
  ['a folder', folderOf],
  ['AMB made of the GGUF', (id) => asAmb(fileOf(id))],
  ['AMB made of the folder', (id) => asAmb(filesOf(id))],
];
/** GGUF files have no window. */
const withoutGguf = ['mistral-window'];
const casesOfSources = cases.flatMap((expected) =>
  sources
    .filter(([name]) => !name.includes('GGUF') || !withoutGguf.includes(expected.model))
    .map(([name, sourceOf]) => [expected.id, name, expected, sourceOf]),
);

const logProbabilities = (logits) => {
  const largest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return Array.from(logits, (logit) => logit - largest - Math.log(sum));
};

test.each(casesOfSources)('%s from %s', async (_id, _name, expected, sourceOf) => {
  const generator = await TextGenerator.load(await sourceOf(expected.model), expected.load);
  loaded.push(generator);
  for (const [i, position] of expected.positions.entries()) {
    const actual = logProbabilities(await generator.logits(expected.ids.slice(0, position)));
    expect(actual).toHaveLength(expected.logprobs[i].length);
    const error = Math.max(...actual.map((value, token) => Math.abs(value - expected.logprobs[i][token])));
    expect(error).toBeLessThanOrEqual(expected.tolerance);
  }
  const tokens = [];
  const options = { temperature: 0, maxTokens: expected.greedy.length };
  for await (const { id: token } of generator.generate(expected.ids, options)) {
    tokens.push(token);
  }
  expect(tokens).toEqual(expected.greedy.map((next) => next.id));
});

test('there is a model of every family that is supported', async () => {
  const configs = cases.map(({ model }) => JSON.parse(readFileSync(`${folderOf(model)}/config.json`, 'utf8')));
  const phi = await inspect(fixturePath('amb/phi2-parallel.amb'));
  const unknown = { ...configs[0], model_type: 'unknown' };
  const error = await failureOf(
    TextGenerator.load({ ...filesOf(cases[0].model), 'config.json': new TextEncoder().encode(JSON.stringify(unknown)) }),
  );
  expect(error).toMatchObject({ code: 'UNSUPPORTED' });
  const supported = error.message.split('supported are ')[1].split(', ');
  const tested = new Set([...configs.map((config) => config.model_type), phi.config.architecture, 'bert']);
  expect(supported.sort()).toEqual([...tested].sort());
});
