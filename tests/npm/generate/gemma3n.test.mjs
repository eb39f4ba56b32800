// Gemma 3n (tests/fixtures/families/README.md): layers that share keys and values, tokens without an embedding for each
// layer, and folders that contradict themselves.

import { Buffer } from 'node:buffer';
import { expect, test } from '@jest/globals';
import { TextGenerator } from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';

const model = 'families/gemma3n-folder';
const config = JSON.parse(Buffer.from(fixtureFile(`${model}/config.json`)).toString());
const { tensors } = await readSafetensors(fixturePath(`${model}/model.safetensors`));
const ids = [5, 17, 130, 42, 42, 7, 201, 99, 3, 254, 18, 77];

async function folder(changes, changed = tensors) {
  const text = { ...config.text_config, ...changes };
  return {
    'config.json': new TextEncoder().encode(JSON.stringify({ ...config, text_config: text })),
    'model.safetensors': await writeSafetensors(changed),
  };
}

async function withGenerator(files, use) {
  const generator = await TextGenerator.load(files, { kvCache: 'f32' });
  try {
    return await use(generator);
  } finally {
    generator.close();
  }
}

test('a layer that reads the keys and values of another one', async () => {
  const shared = { layer_types: ['full_attention', 'full_attention'], num_kv_shared_layers: 1 };
  await withGenerator(await folder(shared), async (generator) => {
    const session = generator.createSession();
    for (const id of ids) {
      await session.generate([id], { temperature: 0, maxTokens: 1 }).finished;
      session.rewind(session.length - 1);
    }
    expect(distance(await session.logits(), await generator.logits(ids))).toBeLessThan(1e-5);
    const restored = generator.createSession();
    await restored.loadCache(await session.saveCache());
    expect(distance(await restored.logits(), await session.logits())).toBe(0);
  });
});

test('tokens without an embedding for each layer use that of token 0', async () => {
  const name = 'model.language_model.embed_tokens_per_layer.weight';
  const rows = 250;
  const { dtype, shape, data } = tensors.get(name);
  const columns = shape[1];
  const cut = new Map(tensors).set(name, { dtype, shape: [rows, columns], data: data.slice(0, rows * columns) });
  const files = await folder({ vocab_size_per_layer_input: rows }, cut);
  const [short, whole] = await Promise.all(
    [files, await folder({})].map((each) =>
      withGenerator(each, async (generator) => [await generator.logits([5, 17]), await generator.logits([5, 254])]),
    ),
  );
  expect(distance(short[0], whole[0])).toBe(0);
  expect(distance(short[1], whole[1])).toBeGreaterThan(0);
});

const without = (part) => new Map([...tensors].filter(([name]) => !name.includes(part)));

test.each([
  ['another number of streams', { altup_num_inputs: 3 }, tensors, 'altup_num_inputs'],
  ['another rank', { laurel_rank: 32 }, tensors, 'laurel.linear_left'],
  ['no router', {}, without('1.altup.modality_router'), 'layers.1.altup.modality_router'],
  ['no projection', {}, without('altup_unembed_projections.2'), 'altup_unembed_projections.2'],
  ['more tokens with embeddings', { vocab_size_per_layer_input: 262 }, tensors, 'embed_tokens_per_layer'],
])('%s is an error', async (_what, changes, of, named) => {
  const error = await failureOf(TextGenerator.load(await folder(changes, of)));
  expect(`${error.tensor ?? ''} ${error.message}`).toContain(named);
});
