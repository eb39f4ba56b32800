// Keys and values of different types: their sizes, and the numbers that attention reads, against rounding computed here.
import { TextGenerator } from 'quintet';
import { fromFloat32, readSafetensors, toFloat32, writeSafetensors } from 'quintet/safetensors';
import { distance, failureOf } from '../../helpers/expectations.mjs';
import { story } from '../../helpers/generator_fixtures.mjs';

const headDim = 8;
const ids = Array.from({ length: 45 }, (_, i) => 300 + ((i * 37) % 100));
const half = (values) => toFloat32({ dtype: 'F16', shape: [values.length], data: fromFloat32('F16', values) });

/** The types as docs/generation.md and docs/kv-cache.md define them, with a scale for each head of 8 values. */
const rounding = {
  f32: (values) => values,
  f16: half,
  int8: (values) => inSteps(values, 127, 127),
  int4: (values) => inSteps(values, 7, 8),
};

function inSteps(values, most, least) {
  const rounded = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += headDim) {
    const head = values.subarray(at, at + headDim);
    const [scale] = half(Float32Array.of(head.reduce((max, x) => Math.max(max, Math.abs(x)), 0) / most));
    head.forEach((x, i) => {
      rounded[at + i] = Math.max(-least, Math.min(most, Math.round(x / scale))) * scale;
    });
  }
  return rounded;
}

const loaded = [];
afterAll(() => loaded.forEach((generator) => generator.close()));
async function sessionOf(kvCache) {
  const generator = await TextGenerator.load(story, { kvCache });
  loaded.push(generator);
  return generator.createSession();
}

/** The file of an f32 session after `ids`, and it with other keys and values. */
let exact;
async function roundedFile({ keys, values }) {
  const { tensors, metadata } = await readSafetensors(exact);
  for (const [name, tensor] of tensors) {
    const type = { key: keys, value: values }[name.split('_').at(-1)];
    if (type) tensors.set(name, { ...tensor, data: rounding[type](tensor.data) });
  }
  return writeSafetensors({ tensors, metadata });
}
beforeAll(async () => {
  const session = await sessionOf('f32');
  await session.generate(ids, { maxTokens: 1, temperature: 0 }).text();
  session.rewind(ids.length);
  exact = await session.saveCache();
});

async function logitsAfter(session, file) {
  await session.loadCache(file);
  let seen;
  await session
    .generate([17], { maxTokens: 1, temperature: 0, logitsProcessor: (logits) => (seen = logits.slice()) })
    .text();
  return seen;
}

describe.each([
  { keys: 'int4', values: 'f32' },
  { keys: 'f32', values: 'int4' },
  { keys: 'int8', values: 'f16' },
  { keys: 'f16', values: 'int8' },
])('$keys keys and $values values', (kvCache) => {
  test('are stored as these types round them', async () => {
    const session = await sessionOf(kvCache);
    await session.loadCache(exact);
    const { tensors } = await readSafetensors(await session.saveCache());
    const expected = await readSafetensors(await roundedFile(kvCache));
    for (const [name, { data }] of expected.tensors) {
      const largest = data.reduce((most, x) => Math.max(most, Math.abs(Number(x))), 0);
      expect([name, distance(tensors.get(name).data, data) <= 1e-6 * largest]).toEqual([name, true]);
    }
  });

  test('give the logits of attention over the rounded numbers', async () => {
    const logits = await logitsAfter(await sessionOf(kvCache), exact);
    const expected = await logitsAfter(await sessionOf('f32'), await roundedFile(kvCache));
    const unrounded = await logitsAfter(await sessionOf('f32'), exact);
    expect(distance(unrounded, expected)).toBeGreaterThan(0);
    // The keys and values of the last token are rounded too, in the session alone.
    expect(distance(logits, expected)).toBeLessThan(0.5 * distance(unrounded, expected) + 1e-4);
  });

  test('are kept by forks, and info has them', async () => {
    const session = await sessionOf(kvCache);
    await session.loadCache(exact);
    const fork = session.fork();
    expect(await fork.saveCache()).toEqual(await session.saveCache());
    const rows = { f32: 32, f16: 16, int8: 12, int4: 8 };
    const [other, plain] = [loaded.at(-1), await TextGenerator.load(story)];
    const { n_layers, n_kv_heads } = plain.info.config;
    const saved = 2 * rows.f32 - rows[kvCache.keys] - rows[kvCache.values];
    const expected = n_layers * n_kv_heads * plain.contextLength * saved;
    expect(plain.info.memory.load - other.info.memory.load).toBe(expected);
    plain.close();
  });
});

test('a missing part is f32', async () => {
  const [first, second] = [await sessionOf({ values: 'int8' }), await sessionOf({ keys: 'f32', values: 'int8' })];
  for (const session of [first, second]) await session.loadCache(exact);
  expect(await first.saveCache()).toEqual(await second.saveCache());
});

test.each([{ keys: 'f8' }, { key: 'f16' }, ['f16'], 'int8/f16'])('%j is an error', async (kvCache) => {
  expect(await failureOf(TextGenerator.load(story, { kvCache }))).toMatchObject({
    code: 'INPUT',
    message: expect.stringContaining('kvCache'),
  });
});
