// Folders with weights quantized by GPTQ, AWQ, compressed-tensors or bitsandbytes, compared with the same folders with
// the values that the quantized ones stand for.
import { afterAll, describe, expect, test } from '@jest/globals';
import { convert, readTensor, TextGenerator } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import * as packers from './quantized_folders.mjs';

const { configs, isQuantized, quantizedTensors } = packers;
const encode = (value) => new TextEncoder().encode(JSON.stringify(value));

/** A model whose matrices' sides are multiples of 32. */
const model = 'olmo2';
const config = JSON.parse(Buffer.from(fixtureFile(`families/${model}/config.json`)).toString());
const { tensors: original } = plainSafetensors(fixtureFile(`families/${model}/model.safetensors`));
/**
 * Tolerance of logits, relative to the largest: integer weights are multiplied with activations of 8 bits, float
 * weights with floats.
 */
const rounding = 0.05;
const ids = [5, 17, 130, 42, 42, 7, 201, 99];

async function foldersOf(kind, options, from = original, base = config) {
  const { packed, plain } = quantizedTensors(from, packers[kind](options));
  return {
    packed,
    plain,
    quantized: {
      'config.json': encode({ ...base, quantization_config: configs[kind](options) }),
      'model.safetensors': await writeSafetensors(packed),
    },
    floats: { 'config.json': encode(base), 'model.safetensors': await writeSafetensors(plain) },
  };
}

const loaded = [];
afterAll(() => loaded.forEach((generator) => generator.close()));
async function load(files, options) {
  const generator = await TextGenerator.load(files, options);
  loaded.push(generator);
  return generator;
}

const amb = async (files, options) =>
  new Uint8Array(await new Response(convert(files, { to: 'amb', ...options })).arrayBuffer());

// `type`: what the matrices become in an AMB file. `error`: of their values there, relative to the largest of the
// matrix.
const cases = [
  ['GPTQ, symmetric', 'gptq', { group: 32 }, 'INT4BLOCK'],
  ['GPTQ with zero points', 'gptq', { group: 16, symmetric: false }, 'INT5BLOCK'],
  ['GPTQ, version 2', 'gptq', { group: 32, symmetric: false, version: 2 }, 'INT5BLOCK'],
  ['AWQ', 'awq', { group: 32 }, 'INT5BLOCK'],
  ['compressed-tensors, 4 bits in groups', 'packed', { group: 32 }, 'INT4BLOCK'],
  ['compressed-tensors, 4 bits in channels', 'packed', { group: 0 }, 'INT4BLOCK'],
  ['compressed-tensors with zero points', 'packed', { group: 32, symmetric: false }, 'INT5BLOCK'],
  ['compressed-tensors, int8', 'int8', {}, 'INT8'],
  ['bitsandbytes, int8', 'bnb8', {}, 'INT8'],
  ['bitsandbytes, nf4', 'bnb4', {}, 'INT8', 1 / 254],
  ['bitsandbytes, nf4 with nested scales', 'bnb4', { nested: true }, 'INT8', 1 / 254],
  ['bitsandbytes, fp4', 'bnb4', { type: 'fp4', nested: true }, 'INT8', 1 / 254],
];

describe.each(cases)('%s', (_, kind, options, type, error = 0) => {
  test('has the logits of the same values as floats', async () => {
    const { quantized, floats } = await foldersOf(kind, options);
    const [actual, expected] = [await load(quantized), await load(floats)];
    const size = Math.max(...(await expected.logits(ids)).map(Math.abs));
    expect(distance(await actual.logits(ids), await expected.logits(ids)) / size).toBeLessThan(rounding);
    expect(actual.info.memory.weights).toBeLessThan(expected.info.memory.weights);
  });

  test('becomes AMB with its own integers, and floats with its own values', async () => {
    const { quantized, plain } = await foldersOf(kind, options);
    const [kept, floats] = [await amb(quantized), await amb(quantized, { quantize: 'none' })];
    for (const [name, { data }] of plain) {
      const read = await readTensor(kept, name);
      expect(read.dtype).toBe(isQuantized(name) ? type : 'FP32');
      const allowed = isQuantized(name) ? error * Math.max(...data.map(Math.abs)) * 1.01 : 0;
      expect(distance(read.data, data)).toBeLessThanOrEqual(allowed);
      expect(distance((await readTensor(floats, name)).data, data)).toBe(0);
    }
  });
});

test('parts arrive in any order, from any file', async () => {
  const { quantized, packed } = await foldersOf('gptq', { group: 32 });
  const whole = await load(quantized);
  const shards = Array.from({ length: 5 }, () => new Map());
  [...packed].forEach(([name, tensor], i) => shards[(i * 7) % 5].set(name, tensor));
  const files = Object.fromEntries(
    await Promise.all(shards.map(async (shard, i) => [`model-${i}.safetensors`, await writeSafetensors(shard)])),
  );
  const scattered = await load({ 'config.json': quantized['config.json'], ...files });
  expect(await scattered.logits(ids)).toEqual(await whole.logits(ids));
  expect(scattered.info.memory).toEqual(whole.info.memory);
  const again = await load(await amb({ 'config.json': quantized['config.json'], ...files }));
  expect(await again.logits(ids)).toEqual(await whole.logits(ids));
});

test('more bits than requested are quantized again', async () => {
  const { quantized } = await foldersOf('bnb4', {});
  const [kept, smaller] = [await load(quantized), await load(quantized, { quantize: 'int4' })];
  expect(smaller.info.memory.weights).toBeLessThan(kept.info.memory.weights);
});

test('matrices of LFM2, whose config does not give their width', async () => {
  const base = JSON.parse(Buffer.from(fixtureFile('families/lfm2/config.json')).toString());
  const { tensors } = plainSafetensors(fixtureFile('families/lfm2/model.safetensors'));
  const { quantized, floats } = await foldersOf('bnb4', {}, tensors, base);
  const [actual, expected] = [await load(quantized), await load(floats)];
  const size = Math.max(...(await expected.logits(ids)).map(Math.abs));
  expect(distance(await actual.logits(ids), await expected.logits(ids)) / size).toBeLessThan(rounding);
});

describe('unsupported features are rejected by name, before weights are read', () => {
  const refused = [
    ['another method', { quant_method: 'fp8' }, 'quant_method is "fp8"'],
    ['MXFP4', { quant_method: 'mxfp4' }, 'quant_method is "mxfp4"'],
    ['3 bits', { ...configs.gptq({ group: 32 }), bits: 3 }, 'bits is 3'],
    ['act-order', { ...configs.gptq({ group: 32 }), desc_act: true }, 'desc_act is true'],
    [
      "Marlin's order",
      { ...configs.gptq({ group: 32 }), checkpoint_format: 'marlin' },
      'checkpoint_format is "marlin"',
    ],
    ['several quantizations', { ...configs.gptq({ group: 32 }), dynamic: { a: { bits: 8 } } }, 'dynamic is'],
    ['groups of 0', { ...configs.gptq({ group: 0 }) }, 'group_size is 0'],
    ['groups of 2^40', { ...configs.awq({ group: 2 ** 40 }) }, 'group_size is'],
    ['GEMV', { ...configs.awq({ group: 32 }), version: 'gemv' }, 'version is "gemv"'],
    [
      'floats of 8 bits',
      { quant_method: 'compressed-tensors', format: 'float-quantized' },
      'format is "float-quantized"',
    ],
    ['no groups', { quant_method: 'compressed-tensors', format: 'pack-quantized' }, 'config_groups'],
    ['neither 4 nor 8 bits', { quant_method: 'bitsandbytes' }, 'load_in_4bit'],
    [
      'another storage',
      { ...configs.bnb4({}), bnb_4bit_quant_storage: 'bfloat16' },
      'bnb_4bit_quant_storage is "bfloat16"',
    ],
    ['no object', 'gptq', 'quantization_config'],
  ];
  test.each(refused)('%s', async (_, quantization_config, told) => {
    const files = {
      'config.json': encode({ ...config, quantization_config }),
      'model.safetensors': new ReadableStream(
        { pull: () => Promise.reject(new Error('the weights were read')) },
        { highWaterMark: 0 },
      ),
    };
    const error = await failureOf(TextGenerator.load(files));
    expect(error.code).toMatch(/UNSUPPORTED|FORMAT/);
    expect(error.message).toContain(told);
  });

  const ordered = { group: 32, order: (_, i) => (i * 5) % 2 };
  test('columns in another order, known from the indices of groups', async () => {
    const { quantized } = await foldersOf('gptq', ordered);
    expect(await failureOf(load(quantized))).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('act-order'),
    });
    expect(await failureOf(amb(quantized))).toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('parts that do not fit are rejected', () => {
  const matrix = 'model.layers.1.mlp.up_proj';
  const change = (part, edit) => (tensors) =>
    tensors.set(`${matrix}.${part}`, edit({ ...tensors.get(`${matrix}.${part}`) }));
  const without = (part) => (tensors) => tensors.delete(`${matrix}.${part}`);
  const reshaped = (shape) => (tensor) => ({ ...tensor, shape });
  const filled = (value) => (tensor) => ({ ...tensor, data: tensor.data.slice().fill(value) });
  const asState =
    (edit) =>
    ({ data }) => {
      const text = encode(edit(JSON.parse(new TextDecoder().decode(data))));
      return { dtype: 'U8', shape: [text.length], data: text };
    };
  const state = 'weight.quant_state.bitsandbytes__nf4';
  const broken = [
    ['no scales', 'gptq', { group: 32 }, without('scales'), `${matrix}.scales`],
    ['no zero points', 'awq', { group: 32 }, without('qzeros'), `${matrix}.qzeros`],
    ['no values', 'packed', { group: 32 }, without('weight_packed'), `${matrix}.weight_packed`],
    ['no codebook', 'bnb4', {}, without('weight.quant_map'), `${matrix}.weight.quant_map`],
    ['no nested scales', 'bnb4', { nested: true }, without('weight.nested_absmax'), `${matrix}.weight.nested_absmax`],
    ['scales of another shape', 'gptq', { group: 32 }, change('scales', reshaped([96, 2])), `${matrix}.scales`],
    [
      'scales of another type',
      'packed',
      { group: 32 },
      change('weight_scale', (tensor) => ({ ...tensor, dtype: 'I16', data: new Int16Array(tensor.data) })),
      `${matrix}.weight_scale`,
    ],
    ['values of another shape', 'gptq', { group: 32 }, change('qweight', reshaped([4, 192])), `${matrix}.scales`],
    ['values in one row', 'awq', { group: 32 }, change('qweight', reshaped([768])), `${matrix}.qweight`],
    [
      'a codebook of 8 values',
      'bnb4',
      {},
      change('weight.quant_map', () => ({ dtype: 'F32', shape: [8], data: new Float32Array(8) })),
      `${matrix}.weight.quant_map`,
    ],
    [
      'a codebook that is not finite',
      'bnb4',
      {},
      change('weight.quant_map', filled(NaN)),
      `${matrix}.weight.quant_map`,
    ],
    ['asymmetric zero points', 'gptq', { group: 32 }, change('qzeros', filled(0)), `${matrix}.qzeros`],
    [
      'another shape in its own tensor',
      'packed',
      { group: 32 },
      change('weight_shape', filled(7n)),
      `${matrix}.weight_shape`,
    ],
    [
      'another shape in the state',
      'bnb4',
      {},
      change(
        state,
        asState((json) => ({ ...json, shape: [64, 96] })),
      ),
      `${matrix}.${state}`,
    ],
    [
      'blocks of 0',
      'bnb4',
      {},
      change(
        state,
        asState((json) => ({ ...json, blocksize: 0 })),
      ),
      `${matrix}.${state}`,
    ],
    [
      'nested blocks of 0',
      'bnb4',
      { nested: true },
      change(
        state,
        asState((json) => ({ ...json, nested_blocksize: 0 })),
      ),
      `${matrix}.${state}`,
    ],
    [
      'a state that is no JSON',
      'bnb4',
      {},
      change(state, (tensor) => ({ ...tensor, data: new Uint8Array(tensor.data.length).fill(91) })),
      `${matrix}.${state}`,
    ],
    [
      'no blocks',
      'bnb4',
      {},
      change('weight.absmax', () => ({ dtype: 'F32', shape: [0], data: new Float32Array(0) })),
      `${matrix}.weight.absmax`,
    ],
    ['rows in another order', 'bnb8', {}, change('weight_format', filled(3)), `${matrix}.weight_format`],
  ];
  test.each(broken)('%s', async (_, kind, options, edit, name) => {
    const { quantized, packed } = await foldersOf(kind, options);
    edit(packed);
    const files = { ...quantized, 'model.safetensors': await writeSafetensors(packed) };
    for (const read of [load, amb]) {
      const error = await failureOf(read(files));
      expect(error.code).toMatch(/FORMAT|UNSUPPORTED/);
      expect(error.tensor).toBe(name);
    }
  });
});

test.each([
  ['F32', 4],
  ['F16', 2],
  ['BF16', 2],
])('a folder of %s keeps its type in memory', async (dtype, width) => {
  const cut = (values) =>
    dtype === 'BF16'
      ? Uint16Array.from(new Uint32Array(Float32Array.from(values).buffer), (bits) => bits >>> 16)
      : new Uint16Array(values.length);
  const tensors = [...original].map(([name, { shape, values }]) => [
    name,
    { dtype, shape, data: dtype === 'F32' ? Float32Array.from(values) : cut(values) },
  ]);
  const generator = await load({
    'config.json': encode(config),
    'model.safetensors': await writeSafetensors(new Map(tensors)),
  });
  const { memory, tensors: told } = generator.info;
  expect(new Set(told.map((tensor) => tensor.dtype))).toEqual(new Set([dtype]));
  const matrices = told
    .filter(({ shape }) => shape.length === 2)
    .reduce((sum, { shape: [rows, cols] }) => sum + rows * cols, 0);
  expect(memory.weights).toBeGreaterThanOrEqual(matrices * width);
  expect(memory.weights).toBeLessThan(matrices * width * 1.1 + 4096);
});
