// Adapters merged into the weights of a text generator, compared with the sum in plain code and with the adapter used
// beside the weights.
import { readFileSync } from 'node:fs';
import { convert, inspect, readTensor, TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { idsOf } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import {
  folderTensors,
  ggufAdapter,
  interleaved,
  jsonFile,
  merged,
  peftFiles,
  randomParts,
  safetensorsFile,
} from '../helpers/models/adapter_files.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { collect } from '../helpers/streams.mjs';

const folderOf = (id) => fixturePath(`families/${id}`);
const inLayers = (name) => /\.(layers|h)\.\d+\./.test(name) && !/norm|conv1d|ln_/.test(name);
const converted = (source, options) => collect(convert(source, options));

/** { name: { shape, values } } of a model converted to float32. */
async function floatTensors(source, options) {
  const { tensors } = plainSafetensors(await converted(source, { to: 'safetensors', quantize: 'none', ...options }));
  return Object.fromEntries(tensors);
}

/** The names that a conversion gives to the tensors of a folder, by their values. */
function convertedNames(tensors, converted) {
  const entries = Object.entries(converted);
  const isSame = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { values }]) => [
      name,
      entries.find(
        ([other, each]) => isSame(each.values, values) && other.split('.').at(-1) === name.split('.').at(-1),
      )[0],
    ]),
  );
}

function expectTensors(actual, expected, changed) {
  expect(Object.keys(actual).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, { shape, values }] of Object.entries(expected)) {
    expect([name, actual[name].shape]).toEqual([name, shape]);
    const worst = values.reduce((most, value, i) => Math.max(most, Math.abs(value - actual[name].values[i])), 0);
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    // A sum in float32 of a few products; other tensors stay as they are.
    expect([name, worst <= (name in changed ? 1e-6 * largest : 0)]).toEqual([name, true]);
  }
}

describe.each(['llama-llama3-rope', 'qwen3', 'phi4-mini', 'gemma3', 'gptneox', 'gpt2', 'qwen3moe'])('%s', (id) => {
  const transposed = id === 'gpt2';
  const tensors = folderTensors(folderOf(id));
  const rankOf = (name) => (name.includes('.0.') ? 3 : 9);
  const parts = randomParts(tensors, { isWanted: inLayers, rankOf, transposed });
  const second = Object.keys(parts)
    .filter((name) => !name.includes('.0.'))
    .map((name) => name.replace(/\.weight$/, ''));
  const patternOf = (value) => Object.fromEntries(second.map((name) => [name, value]));
  const peft = peftFiles(parts, { r: 3, lora_alpha: 2, rank_pattern: patternOf(9), alpha_pattern: patternOf(4.5) });
  const scaleOf = (name) => (name.includes('.0.') ? 2 / 3 : 4.5 / 9);

  test('the weights of the folder are W + scale * B A', async () => {
    const merge = [{ adapter: peft }, { adapter: peft, scale: -0.25 }];
    const base = await floatTensors(folderOf(id));
    const names = convertedNames(tensors, base);
    const sums = merged(tensors, parts, (name) => 0.75 * scaleOf(name), transposed);
    const changed = Object.fromEntries(Object.keys(parts).map((name) => [names[name], sums[name]]));
    expect(Object.keys(changed)).toHaveLength(Object.keys(parts).length);
    expectTensors(await floatTensors(folderOf(id), { merge }), { ...base, ...changed }, changed);
  });

  test('a GGUF file becomes the same model as its folder', async () => {
    const options = { to: 'amb', quantize: 'none', merge: [{ adapter: peft }] };
    const models = [];
    for (const source of [folderOf(id), `${folderOf(id)}.gguf`]) {
      const file = await converted(source, options);
      const info = await inspect(file);
      const values = {};
      for (const { name } of info.tensors) values[name] = await readTensor(file, name);
      models.push(values);
    }
    const [ofFolder, ofGguf] = models;
    for (const [name, { shape, data }] of Object.entries(ofFolder)) {
      // To the norms of Gemma, GGUF has added one.
      if (shape.length === 1) continue;
      // GGUF has the matrices of all experts in one tensor.
      const [, expert] = /experts\.(\d+)\./.exec(name) ?? [];
      const all = ofGguf[name.replace(/experts\.\d+/, 'experts')].data;
      const begin = Number(expert ?? 0) * data.length;
      expect(expert === undefined ? all : all.slice(begin, begin + data.length)).toEqual(data);
    }
  });
});

describe('a merged model', () => {
  const id = 'qwen3';
  const tensors = folderTensors(folderOf(id));
  const parts = randomParts(tensors, { isWanted: inLayers });
  const peft = peftFiles(parts, { r: 3, lora_alpha: 3 });

  test.each(['qwen3', 'gptneox', 'gpt2'])('writes what %s writes with the adapter', async (id) => {
    const transposed = id === 'gpt2';
    const parts = randomParts(folderTensors(folderOf(id)), { isWanted: inLayers, transposed });
    const peft = peftFiles(parts, { r: 3, lora_alpha: 3 });
    const base = await TextGenerator.load(folderOf(id));
    await base.loadAdapter('a', peft);
    const file = await converted(folderOf(id), { to: 'amb', merge: [{ adapter: peft, scale: 0.5 }] });
    const whole = await TextGenerator.load(file);
    for (const prompt of [
      [17, 4, 98, 250],
      [31, 7, 7, 120, 5],
    ]) {
      const options = { maxTokens: 40, temperature: 0 };
      const expected = await idsOf(base.generate(prompt, { ...options, adapters: [{ name: 'a', scale: 0.5 }] }));
      expect(await idsOf(base.generate(prompt, options))).not.toEqual(expected);
      expect(await idsOf(whole.generate(prompt, options))).toEqual(expected);
    }
    base.close();
    whole.close();
  });

  test.each([
    ['int8', 127],
    ['int4block', 7],
  ])('in %s, keeps the type, and each value is as near as a block allows', async (quantize, steps) => {
    const base = await converted(folderOf(id), { to: 'amb', quantize });
    const file = await converted(base, { to: 'amb', merge: [{ adapter: peft }] });
    const types = async (source) => (await inspect(source)).tensors.map(({ name, dtype }) => [name, dtype]);
    expect(await types(file)).toEqual(await types(base));
    const expected = merged(await floatTensors(base), parts, () => 1);
    const actual = await floatTensors(file);
    for (const name of Object.keys(parts)) {
      for (let at = 0; at < expected[name].values.length; at += 32) {
        const block = expected[name].values.slice(at, at + 32);
        const step = block.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / steps;
        const worst = block.reduce((most, x, i) => Math.max(most, Math.abs(x - actual[name].values[at + i])), 0);
        expect(worst).toBeLessThanOrEqual(0.55 * step);
      }
    }
  });
});

describe('an adapter in GGUF', () => {
  const id = 'llama-llama3-rope';
  const names = { q_proj: 'attn_q', k_proj: 'attn_k', o_proj: 'attn_output', down_proj: 'ffn_down' };
  const tensors = folderTensors(folderOf(id));
  const isWanted = (name) => inLayers(name) && /[qko]_proj|down_proj/.test(name);
  const parts = randomParts(tensors, { isWanted, rankOf: () => 4 });
  const { hidden_size, num_attention_heads } = JSON.parse(readFileSync(`${folderOf(id)}/config.json`, 'utf8'));
  const nameOf = (name) => {
    const [, layer, module] = /layers\.(\d+)\.\w+\.(\w+)\.weight$/.exec(name);
    return `blk.${layer}.${names[module]}.weight`;
  };
  const rowsOf = (name, part) =>
    /[qk]_proj/.test(name) ? interleaved(part, hidden_size / num_attention_heads) : part.b;
  const gguf = (settings) => ggufAdapter(parts, { architecture: 'llama', alpha: 6, nameOf, rowsOf, ...settings });

  test.each([
    ['the folder', folderOf(id)],
    ['the GGUF file', `${folderOf(id)}.gguf`],
  ])('is merged into %s', async (_, source) => {
    const base = await floatTensors(source);
    const actual = await floatTensors(source, { merge: [{ adapter: gguf() }] });
    expectTensors(
      actual,
      merged(base, parts, () => 1.5),
      parts,
    );
  });

  test.each([
    ['of another architecture', { architecture: 'gemma3' }, 'INPUT'],
    ['of another kind', { values: [['general.type', 'string', 'model']] }, 'INPUT'],
    ['without an alpha', { values: [['adapter.lora.alpha', 'string', 'six']] }, 'FORMAT'],
  ])('%s is an error', async (_, settings, code) => {
    const options = { to: 'amb', merge: [{ adapter: gguf(settings) }] };
    expect(await failureOf(converted(folderOf(id), options))).toMatchObject({ code });
  });
});

describe('errors', () => {
  const id = 'qwen3';
  const tensors = folderTensors(folderOf(id));
  const parts = randomParts(tensors, { isWanted: (name) => /layers\.0.*down_proj/.test(name) });
  const [[name, part]] = Object.entries(parts);
  const config = { r: 3, lora_alpha: 3 };
  const files = peftFiles(parts, config);
  const withParts = (changed) => peftFiles(changed, config);
  const withConfig = (more) => peftFiles(parts, { ...config, ...more });
  const withTensor = (tensor) => ({ ...files, 'adapter_model.safetensors': safetensorsFile(tensor) });
  const failure = async (adapter, source = folderOf(id)) =>
    failureOf(converted(source, { to: 'safetensors', merge: [{ adapter }] }));

  test.each([
    [
      'a layer that the model lacks',
      withParts({ [name.replace('.0.', '.9.')]: part }),
      'UNSUPPORTED',
      'no such linear',
    ],
    [
      'too few rows',
      withParts({ [name]: { ...part, rows: part.rows - 1, b: part.b.slice(3) } }),
      'FORMAT',
      'does not fit',
    ],
    ['another rank', withConfig({ r: 4 }), 'FORMAT', 'rank'],
    ['a magnitude', withTensor({ [`base_model.model.${name}`]: { shape: [1], values: [1] } }), 'UNSUPPORTED', 'LoRA'],
    [
      'A without B',
      withTensor({ 'base_model.model.x.lora_A.weight': { shape: [3, 8], values: new Float32Array(24) } }),
      'FORMAT',
      'counterpart',
    ],
    [
      'a value that is not finite',
      withParts({ [name]: { ...part, a: part.a.map(() => Number.NaN) } }),
      'FORMAT',
      'finite',
    ],
    ['DoRA', withConfig({ use_dora: true }), 'UNSUPPORTED', 'use_dora'],
    ['a regular expression', withConfig({ rank_pattern: { '.*_proj': 3 } }), 'UNSUPPORTED', 'regular expression'],
    ['no rank', withConfig({ r: 0 }), 'FORMAT', 'r is not a rank'],
    ['no tensors', withTensor({}), 'FORMAT', 'no tensors'],
    ['no config', { 'adapter_model.safetensors': files['adapter_model.safetensors'] }, 'INPUT', 'adapter_config.json'],
    ['a config that is no JSON', { ...files, 'adapter_config.json': jsonFile(3) }, 'FORMAT', 'a JSON object'],
    ['a model in its place', `${folderOf(id)}.gguf`, 'INPUT', 'not an adapter'],
    [
      'half a file',
      { ...files, 'adapter_model.safetensors': files['adapter_model.safetensors'].slice(0, 400) },
      'FORMAT',
      '',
    ],
  ])('%s', async (_, adapter, code, message) => {
    const error = await failure(adapter);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('a model that is not a text generator', async () => {
    const error = await failure(files, fixturePath('embd/f32.weights'));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining('only into text generators') });
  });

  test.each([
    ['no adapter', [{ scale: 1 }]],
    ['another option', [{ adapter: files, weight: 1 }]],
    ['a scale that is no number', [{ adapter: files, scale: 'half' }]],
  ])('%s', async (_, merge) => {
    expect(await failureOf(converted(folderOf(id), { to: 'amb', merge }))).toMatchObject({ code: 'INPUT' });
  });

  test('no list', () => {
    const merge = { adapter: files };
    expect(() => convert(folderOf(id), { to: 'amb', merge })).toThrow(expect.objectContaining({ code: 'INPUT' }));
  });
});
