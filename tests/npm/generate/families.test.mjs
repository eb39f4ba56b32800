// Each family of decoders compared with llama.cpp (tests/fixtures/families/README.md): from GGUF, from a Hugging Face
// folder, and from the AMB files that both become.

import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { convert, inspect, TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

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
/** GGUF files have no window, or mean another network. */
const withoutGguf = ['helium', 'mistral-window', 'gemma3n-folder'];
/** Only llama.cpp has the family, or its converter adds layers that predict further tokens. */
const withoutFolder = ['smallthinker', 'qwen35-mtp', 'gemma3n'];
const casesOfSources = cases.flatMap((expected) =>
  sources
    .filter(([name]) => !(name.includes('GGUF') ? withoutGguf : withoutFolder).includes(expected.model))
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

/** Rounding to 8 bits moves the logarithms of these models by less than 0.4. */
const mixtures = ['granitemoe', 'qwen3moe', 'lfm2moe'].flatMap((id) => [
  [id, 'GGUF', fileOf(id)],
  [id, 'a folder', filesOf(id)],
]);
test.each(mixtures)('%s from %s, with quantized experts', async (id, _name, source) => {
  const file = new Uint8Array(
    await new Response(convert(source, { to: 'amb', quantize: 'int8', groupSize: 4 })).arrayBuffer(),
  );
  const experts = (await inspect(file)).tensors.filter(({ name }) => name.includes('experts.'));
  expect(experts.every(({ dtype, shape }) => dtype.startsWith('INT8') && shape.length === 2)).toBe(true);
  const generator = await TextGenerator.load(file);
  loaded.push(generator);
  const expected = cases.find((model) => model.id === id);
  const actual = logProbabilities(await generator.logits(expected.ids));
  const error = Math.max(...actual.map((value, token) => Math.abs(value - expected.logprobs.at(-1)[token])));
  expect(error).toBeLessThan(0.4);
});

/** The folder of a model of texts and images, whose decoder is the given one. */
function withImages(id, prefixOf) {
  const file = readFileSync(`${folderOf(id)}/model.safetensors`);
  const length = Number(file.readBigUInt64LE());
  const data = file.subarray(8 + length);
  const header = Object.entries(JSON.parse(file.subarray(8, 8 + length)));
  const renamed = header.map(([name, info]) => [prefixOf(name), info]);
  renamed.push([
    'vision_tower.patch_conv.weight',
    { dtype: 'F32', shape: [2], data_offsets: [data.length, data.length + 8] },
  ]);
  const text = Buffer.from(JSON.stringify(Object.fromEntries(renamed)));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const { tie_word_embeddings: tied, ...inner } = JSON.parse(readFileSync(`${folderOf(id)}/config.json`, 'utf8'));
  const config = { model_type: 'mistral3', text_config: inner, tie_word_embeddings: tied, vision_config: {} };
  return {
    'config.json': Buffer.from(JSON.stringify(config)),
    'model.safetensors': Buffer.concat([size, text, data, Buffer.alloc(8)]),
  };
}

test.each([
  ['transformers 4', (name) => `language_model.${name}`],
  ['transformers 5', (name) => name.replace('model.', 'model.language_model.')],
])('the decoder of a model of texts and images, as %s saves it', async (_, prefixOf) => {
  const expected = cases.find(({ model }) => model === 'ministral3');
  for (const source of [withImages('ministral3', prefixOf), await asAmb(withImages('ministral3', prefixOf))]) {
    const generator = await TextGenerator.load(source);
    loaded.push(generator);
    const actual = logProbabilities(await generator.logits(expected.ids));
    const error = Math.max(...actual.map((value, token) => Math.abs(value - expected.logprobs.at(-1)[token])));
    expect(error).toBeLessThanOrEqual(expected.tolerance);
  }
  const { tensors } = await inspect(await asAmb(withImages('ministral3', prefixOf)));
  expect(tensors.map(({ name }) => name)).toContain('model.layers.0.self_attn.q_proj.weight');
  expect(tensors.some(({ name }) => /vision|language_model/.test(name))).toBe(false);
});

test('there is a model of every family that is supported', async () => {
  const configs = cases
    .filter(({ model }) => !withoutFolder.includes(model))
    .map(({ model }) => JSON.parse(readFileSync(`${folderOf(model)}/config.json`, 'utf8')));
  const phi = await inspect(fixturePath('amb/phi2-parallel.amb'));
  const unknown = { ...configs[0], model_type: 'unknown' };
  const error = await failureOf(
    TextGenerator.load({
      ...filesOf(cases[0].model),
      'config.json': new TextEncoder().encode(JSON.stringify(unknown)),
    }),
  );
  expect(error).toMatchObject({ code: 'UNSUPPORTED' });
  const supported = error.message.split('supported are ')[1].split(', ');
  const tested = new Set([
    ...configs.map((config) => (config.text_config ?? config).model_type),
    phi.config.architecture,
    'bert',
  ]);
  expect(supported.sort()).toEqual([...tested].sort());
});
