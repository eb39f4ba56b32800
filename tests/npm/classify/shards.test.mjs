// Image networks whose weights are in several safetensors files: the logits of the same weights in one file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageClassifier } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';
import { withClassifier } from '../helpers/classifier_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';
import { filesOf, modelNamed, tensorOf } from '../helpers/vision_fixtures.mjs';

const model = modelNamed('convnextv2-hf');
const { 'model.safetensors': weights, ...described } = filesOf(model);
const { tensors } = plainSafetensors(weights);
const names = [...tensors.keys()];
const shardNames = [1, 2, 3].map((i) => `model-0000${i}-of-00003.safetensors`);
const shardOf = (name) => shardNames[names.indexOf(name) % shardNames.length];

const bits = { F32: Uint32Array, F16: Uint16Array, BF16: Uint16Array, I64: BigUint64Array };
const writtenShard = (shard) =>
  writeSafetensors({
    tensors: Object.fromEntries(
      names
        .filter((name) => shardOf(name) === shard)
        .map((name) => {
          const { dtype, shape, bytes } = tensors.get(name);
          return [name, { dtype, shape, data: new bits[dtype](bytes.slice().buffer) }];
        }),
    ),
  });
const shards = Object.fromEntries(await Promise.all(shardNames.map(async (name) => [name, await writtenShard(name)])));
const index = { metadata: {}, weight_map: Object.fromEntries(names.map((name) => [name, shardOf(name)])) };
const folder = {
  ...described,
  'model.safetensors.index.json': new TextEncoder().encode(JSON.stringify(index)),
  ...shards,
};

async function expectLogits(classifier) {
  expect(model.runs.length).toBeGreaterThan(0);
  for (const { input, expected, tolerance } of model.runs) {
    const logits = await classifier.logits(tensorOf(input), input.shape);
    expect(distance(logits, expected)).toBeLessThanOrEqual(tolerance);
  }
}

test.each([{}, { worker: true }])('files by name have the logits of the network in one file (%j)', async (options) => {
  await withClassifier(folder, options, expectLogits);
  const streams = Object.fromEntries(shardNames.map((name) => [name, new Blob([folder[name]]).stream()]));
  if (!options.worker) await withClassifier({ ...folder, ...streams }, options, expectLogits);
});

test('a path and a name of the Hub load', async () => {
  const path = await mkdtemp(join(tmpdir(), 'quintet-shards-'));
  const hub = await serveHub();
  try {
    for (const [name, bytes] of Object.entries(folder)) await writeFile(join(path, name), bytes);
    await withClassifier(path, {}, expectLogits);
    hub.add('zoo/shards', folder);
    process.env.HF_HOME = join(path, 'cache');
    await withClassifier('hf:zoo/shards', { hub: { endpoint: hub.endpoint } }, expectLogits);
    await rm(join(path, shardNames[1]));
    const failure = await failureOf(ImageClassifier.load(path));
    expect(failure).toMatchObject({ code: 'INPUT', reason: 'missing' });
    expect(failure.message).toContain(shardNames[1]);
  } finally {
    delete process.env.HF_HOME;
    await hub.close();
    await rm(path, { recursive: true });
  }
});

test('a damaged, a repeated or a missing shard is one error', async () => {
  const [first, second] = shardNames;
  const damaged = await failureOf(ImageClassifier.load({ ...folder, [second]: shards[second].subarray(0, 50) }));
  expect(damaged).toMatchObject({ code: 'FORMAT' });
  expect(damaged.message).toContain(second);
  expect(await failureOf(ImageClassifier.load({ ...folder, [second]: shards[first] }))).toMatchObject({
    code: 'FORMAT',
  });
  const { [second]: _, ...incomplete } = folder;
  expect(await failureOf(ImageClassifier.load(incomplete))).toMatchObject({ code: 'FORMAT' });
});

test('several files without an index are one error', async () => {
  const { 'model.safetensors.index.json': _, ...unlisted } = folder;
  expect(await failureOf(ImageClassifier.load(unlisted))).toMatchObject({
    code: expect.stringMatching(/FORMAT|INPUT/),
  });
});
