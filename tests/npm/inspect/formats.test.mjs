// Files of every format: what inspection, dequantization and conversion give, against their generator's descriptions.
import { capabilities, convert, inspect, readTensor, validate } from 'quintet';
import { readSafetensors } from 'quintet/safetensors';
import { brokenFiles, fixtureBytes, recipesOf } from '../helpers/broken_files.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { dequantizedTensors, fixtureFile, fixturePath, modelCases } from '../helpers/model_fixtures.mjs';
import { collect, streamOf } from '../helpers/streams.mjs';

/** Facts in the manifest's spelling: without case, and without `_`. */
const letters = (text) => text.replace(/[^a-z0-9]/gi, '').toLowerCase();

function expectTensor(actual, expected) {
  const { name, dtype = actual?.dtype, scale_type: scaleType, ...facts } = expected;
  expect(actual).toMatchObject({ name, ...facts });
  expect(letters(actual.dtype)).toBe(letters(dtype));
  if (scaleType) expect(actual.scaleType).toBe(scaleType);
}

function expectFacts(info, { expect: { inspect: facts, tokenizer } }) {
  expect(info.format).toBe(facts.format);
  if (facts.kind) expect(info.kind).toBe(facts.kind);
  if (facts.version !== undefined) expect(info.version).toEqual(facts.version);
  if (facts.architecture) expect(info.architecture).toBe(facts.architecture);
  expect(info.metadata).toMatchObject(facts.metadata ?? facts.general ?? {});
  for (const [key, value] of Object.entries({ ...facts.config, ...facts.parameters })) {
    if (typeof value === 'number') expect(info.config[key]).toBeCloseTo(value, 9);
    else expect(info.config[key]).toEqual(value);
  }
  if (facts.tensor_count !== undefined) expect(info.tensors).toHaveLength(facts.tensor_count);
  const byName = new Map(info.tensors.map((tensor) => [tensor.name, tensor]));
  for (const tensor of facts.tensors ?? []) expectTensor(byName.get(tensor.name), tensor);
  if (!tokenizer) return;
  if (tokenizer.type === 'none') {
    expect(info.tokenizer).toBeNull();
    return;
  }
  expect(letters(tokenizer.type)).toContain(letters(info.tokenizer.type));
  if (tokenizer.vocab_size !== undefined) expect(info.tokenizer.size).toBe(tokenizer.vocab_size);
  for (const [name, id] of Object.entries(tokenizer.special ?? {})) {
    expect([name, info.tokenizer.special[name] ?? null]).toEqual([name, id]);
  }
}

describe.each(modelCases)('$path', (one) => {
  const bytes = fixtureFile(one.path);

  test('a description, from every kind of source', async () => {
    const info = await inspect(fixturePath(one.path));
    expectFacts(info, one);
    expect(info.fileSize).toBe(bytes.length);
    if (info.tensors.length === 0) expect(info.memory).toBeUndefined();
    else expect(info.memory.load).toBeGreaterThan(0);
    for (const source of [bytes, new Blob([bytes]), streamOf(bytes, 777), new Response(bytes)]) {
      expect(await inspect(source)).toEqual(info);
    }
    expect(await validate(streamOf(bytes, 4099))).toMatchObject(info);
  });

  test('it is unchanged, or becomes a file that stays unchanged', async () => {
    const once = await collect(convert(fixturePath(one.path), { to: one.format }));
    const twice = await collect(convert(streamOf(once, 1009), { to: one.format }));
    expect(Buffer.compare(once, twice)).toBe(0);
    const before = await inspect(bytes);
    const after = await inspect(once);
    const types = ({ tensors }) => Object.fromEntries(tensors.map(({ name, dtype, shape }) => [name, [dtype, shape]]));
    expect(types(after)).toEqual(types(before));
  });
});

const dequantized = modelCases.filter(({ expect: { dequantized: values } }) => values);
test.each(dequantized)('values of $path', async (one) => {
  for (const { name, values } of dequantizedTensors(one)) {
    const { data } = await readTensor(fixturePath(one.path), name);
    expect([name, data]).toEqual([name, values]);
  }
});

test('as safetensors, values equal those of readTensor', async () => {
  for (const path of [
    'amb/llama-int4block.amb',
    'alt/q8-aff.alt',
    'embd/int8-row.weights',
    'tinyruntime/small-dq.bin',
  ]) {
    const file = await collect(convert(fixturePath(path), { to: 'safetensors', quantize: 'none' }));
    const { tensors } = await readSafetensors(file);
    expect(tensors.size).toBeGreaterThan(0);
    for (const [name, { dtype, shape, data }] of tensors) {
      const expected = await readTensor(fixturePath(path), name);
      expect([path, name, dtype, shape]).toEqual([path, name, 'F32', expected.shape]);
      expect(data).toEqual(expected.data);
    }
  }
});

describe('quantized', () => {
  const source = fixturePath('amb/llama-f32.amb');
  const matrix = 'model.layers.0.mlp.gate_proj.weight';

  async function distance(file) {
    const [exact, rounded] = await Promise.all([readTensor(source, matrix), readTensor(file, matrix)]);
    return exact.data.reduce((worst, x, i) => Math.max(worst, Math.abs(x - rounded.data[i])), 0);
  }

  // The largest absolute value, which a scale follows, over the steps that a type has, and half a step.
  test.each([
    ['amb', { quantize: 'int8', groupSize: 32 }, 'INT8', 127],
    ['amb', { quantize: 'int4', groupSize: 16, scaleType: 'fp32' }, 'INT4', 7],
    ['amb', { quantize: 'int5', groupSize: 0 }, 'INT5', 15],
    ['amb', { quantize: 'int4block', groupSize: 32 }, 'INT4BLOCK', 7],
    ['amb', { quantize: 'int5block', groupSize: 32 }, 'INT5BLOCK', 15],
    ['amb', { quantize: 'bf16' }, 'BF16', 128],
    ['alt', { quantize: 'f16' }, 'float16', 1024],
    ['alt', { quantize: 'int8' }, 'qint8', 127],
    ['alt', { quantize: 'int4' }, 'qint4', 7],
  ])('%s %j', async (to, options, dtype, steps) => {
    const from = to === 'alt' ? fixturePath('alt/f32.alt') : source;
    const file = await collect(convert(from, { to, ...options }));
    const tensor = (await inspect(file)).tensors.find(({ name }) => name === matrix);
    expect(letters(tensor.dtype)).toBe(letters(dtype));
    if (options.groupSize !== undefined) expect(tensor.block).toBe(options.groupSize);
    if (options.scaleType) expect(tensor.scaleType).toBe('FP32');
    const [exact, rounded] = await Promise.all([readTensor(from, matrix), readTensor(file, matrix)]);
    const largest = exact.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const worst = exact.data.reduce((most, x, i) => Math.max(most, Math.abs(x - rounded.data[i])), 0);
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThanOrEqual(((largest / steps) * 1.01) / 2);
  });

  test('adaptive: more bits, smaller errors', async () => {
    const few = await collect(convert(source, { to: 'amb', quantize: 'adaptive', bits: 4.5 }));
    const many = await collect(convert(source, { to: 'amb', quantize: 'adaptive', bits: 8 }));
    expect(many.length).toBeGreaterThan(few.length);
    expect(await distance(many)).toBeLessThan(await distance(few));
  });

  test.each([
    [{ to: 'amb', quantize: 'int8-row' }, 'UNSUPPORTED'],
    [{ to: 'alt', quantize: 'int5' }, 'UNSUPPORTED'],
    [{ to: 'safetensors', quantize: 'int8' }, 'UNSUPPORTED'],
    [{ to: 'amb', quantize: 'f16', groupSize: 32 }, 'INPUT'],
    [{ to: 'amb', quantize: 'int8', bits: 5 }, 'INPUT'],
    [{ to: 'alt', quantize: 'int8', scaleType: 'fp32' }, 'INPUT'],
    [{ to: 'amb', quantize: 'int8', observer: 'minmax' }, 'INPUT'],
    [{ to: 'amb', quantize: 'int8', calibration: [] }, 'INPUT'],
    [{ to: 'weights' }, 'INPUT|UNSUPPORTED'],
    [{ to: 'tinyruntime' }, 'INPUT|UNSUPPORTED'],
  ])('rejects %j', async (options, code) => {
    const failure = await failureOf(async () => collect(convert(source, options)));
    expect(failure.code).toMatch(new RegExp(`^(${code})$`));
    expect(capabilities().memory.liveObjects).toBe(0);
  });
});

describe('static quantization', () => {
  const image = {
    data: Uint8Array.from({ length: 48 * 40 * 3 }, (_, i) => (i * 37) % 256),
    width: 48,
    height: 40,
    channels: 3,
  };
  const source = fixturePath('tinyruntime/r18-plain-vanilla.bin');

  test('learns from images of every kind of pixels', async () => {
    const grey = { data: new Float32Array(20 * 30).fill(0.5), width: 20, height: 30, channels: 1 };
    const canvas = { data: new Uint8ClampedArray(16 * 16 * 4).fill(200), width: 16, height: 16 };
    async function* images() {
      yield* [image, grey, canvas];
    }
    const file = await collect(convert(source, { to: 'tinyruntime', quantize: 'sq8', calibration: images() }));
    expect(await inspect(file)).toMatchObject({ format: 'tinyruntime', kind: 'sq8' });
    const options = { to: 'tinyruntime', quantize: 'sq8', calibration: [image], observer: 'histogram' };
    expect((await inspect(await collect(convert(source, options)))).kind).toBe('sq8');
  });

  test.each([
    ['no images', undefined],
    ['none of them', []],
    ['no image', [7]],
    ['too few pixels', [{ ...image, width: 49 }]],
    ['channels', [{ ...image, channels: 2 }]],
    ['no pixels', [{ ...image, data: 'red', width: 1, height: 1 }]],
  ])('rejects %s', async (_, calibration) => {
    const options = { to: 'tinyruntime', quantize: 'sq8', ...(calibration ? { calibration } : {}) };
    expect(await failureOf(async () => collect(convert(source, options)))).toMatchObject({ code: 'INPUT' });
  });
});

describe.each(['amb', 'alt', 'tinyruntime'])('broken files: %s', (format) => {
  test.each(recipesOf(format))('$id: $about', async (recipe) => {
    const { expect: outcome, when } = recipe;
    for (const file of brokenFiles(recipe)) {
      for (const open of [inspect, validate]) {
        const before = process.cpuUsage();
        const result = await open(file).catch((error) => error);
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1000).toBeLessThan(2000);
        const refused = result instanceof Error;
        if (outcome === 'error' && !when) expect([recipe.id, refused]).toEqual([recipe.id, true]);
        if (outcome === 'ok') expect([recipe.id, refused]).toEqual([recipe.id, false]);
        if (!refused) continue;
        expect(result.name).toBe('QuintetError');
        expect(['FORMAT', 'UNSUPPORTED', 'MEMORY']).toContain(result.code);
        const longest = Math.max(file.length, fixtureBytes(recipe.base).length);
        if (result.offset !== undefined) expect(result.offset).toBeLessThanOrEqual(longest);
      }
    }
    expect(capabilities().memory.liveObjects).toBe(0);
  });
});
