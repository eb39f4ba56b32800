// Each family of decoders beside llama.cpp (tests/fixtures/families/README.md): from GGUF, from a Hugging Face folder, and
// from the AMB files that both become.
import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { TextGenerator, convert, inspect } from 'quintet';
import { failureOf } from './fixtures.mjs';
import { fixturePath } from './model_fixtures.mjs';

const models = JSON.parse(readFileSync(fixturePath('families/expected.json'), 'utf8'));
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
const cases = models.flatMap((model) =>
  sources
    .filter(([name]) => !name.includes('GGUF') || !withoutGguf.includes(model.id))
    .map(([name, sourceOf]) => [model.id, name, model, sourceOf]),
);

const logProbabilities = (logits) => {
  const largest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return Array.from(logits, (logit) => logit - largest - Math.log(sum));
};

test.each(cases)('%s from %s', async (id, _, model, sourceOf) => {
  const generator = await TextGenerator.load(await sourceOf(id));
  loaded.push(generator);
  for (const [i, position] of model.positions.entries()) {
    const actual = logProbabilities(await generator.logits(model.ids.slice(0, position)));
    expect(actual).toHaveLength(model.logprobs[i].length);
    const error = Math.max(...actual.map((value, token) => Math.abs(value - model.logprobs[i][token])));
    expect(error).toBeLessThanOrEqual(model.tolerance);
  }
  const tokens = [];
  for await (const { id: token } of generator.generate(model.ids, { temperature: 0, maxTokens: model.greedy.length })) {
    tokens.push(token);
  }
  expect(tokens).toEqual(model.greedy.map((next) => next.id));
});

test('there is a model of every family that is supported', async () => {
  const configs = models.map(({ id }) => JSON.parse(readFileSync(`${folderOf(id)}/config.json`, 'utf8')));
  const phi = await inspect(fixturePath('amb/phi2-parallel.amb'));
  const unknown = { ...configs[0], model_type: 'unknown' };
  const error = await failureOf(
    TextGenerator.load({ ...filesOf(models[0].id), 'config.json': new TextEncoder().encode(JSON.stringify(unknown)) }),
  );
  expect(error).toMatchObject({ code: 'UNSUPPORTED' });
  const supported = error.message.split('supported are ')[1].split(', ');
  const tested = [...configs.map((config) => config.model_type), phi.config.architecture, 'bert'];
  expect(supported.sort()).toEqual(tested.sort());
});
