// Low-rank adapters compared with the same product merged into the weights of the folder, from PEFT's files and from
// GGUF.
import { readFileSync } from 'node:fs';
import { TextGenerator } from 'quintet';
import { distance } from '../helpers/expectations.mjs';
import { idsOf } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import {
  folderTensors,
  ggufAdapter,
  interleaved,
  merged,
  peftFiles,
  randomParts,
  safetensorsFile,
} from '../helpers/models/adapter_files.mjs';

const ids = [17, 4, 98, 250, 31, 7, 7, 120];
const loaded = [];
afterAll(() => loaded.forEach((generator) => generator.close()));

async function load(source, options) {
  const generator = await TextGenerator.load(source, options);
  loaded.push(generator);
  return generator;
}

/** The logits from which the first token after the ids is chosen. */
async function logitsWith(generator, adapters) {
  let seen;
  const logitsProcessor = (logits) => (seen = logits.slice());
  await generator
    .generate(ids, { maxTokens: 1, temperature: 0, logitsProcessor, ...(adapters && { adapters }) })
    .text();
  return seen;
}

const folderOf = (id) => fixturePath(`families/${id}`);
const configOf = (id) => JSON.parse(readFileSync(`${folderOf(id)}/config.json`, 'utf8'));
const inLayers = (name) => /\.(layers|h)\.\d+\./.test(name) && !/norm|conv1d|ln_/.test(name);

const families = [
  'llama-llama3-rope',
  'qwen3',
  'phi4-mini',
  'gemma3',
  'starcoder2',
  'gptneox',
  'gpt2',
  'qwen3moe',
  'granitehybrid',
];

describe.each(families)('%s', (id) => {
  const transposed = id === 'gpt2';
  const tensors = folderTensors(folderOf(id));
  const rankOf = (name) => (name.includes('.0.') ? 3 : 9);
  const parts = randomParts(tensors, { isWanted: inLayers, rankOf, transposed });
  // alpha / rank, where the second layer has its own rank and alpha.
  const scaleOf = (name) => (name.includes('.0.') ? 2 / 3 : 4.5 / 9);
  const second = [...new Set(Object.keys(parts).map((name) => name.replace(/\.weight$/, '')))].filter(
    (name) => !name.includes('.0.'),
  );
  const patternOf = (value) => Object.fromEntries(second.map((name) => [name, value]));
  const peft = peftFiles(parts, { r: 3, lora_alpha: 2, rank_pattern: patternOf(9), alpha_pattern: patternOf(4.5) });
  const wanted = (scale) => ({
    'config.json': `${folderOf(id)}/config.json`,
    'model.safetensors': safetensorsFile(merged(tensors, parts, (name) => scale * scaleOf(name), transposed)),
  });

  // GGUF files of Granite 4 have two matrices where the folder has one.
  const sources = [
    ['the folder', folderOf(id)],
    ['the GGUF file', `${folderOf(id)}.gguf`],
  ].slice(0, id === 'granitehybrid' ? 1 : 2);

  test.each(sources)('on %s, an adapter gives the logits of merged weights', async (_, source) => {
    const generator = await load(source);
    const before = await logitsWith(generator);
    await generator.loadAdapter('style', peft);
    const expected = await logitsWith(await load(wanted(1)));
    expect(distance(before, expected)).toBeGreaterThan(0.02);
    expect(distance(await logitsWith(generator, [{ name: 'style' }]), expected)).toBeLessThan(1e-3);
    const half = await logitsWith(await load(wanted(-0.5)));
    expect(distance(await logitsWith(generator, [{ name: 'style', scale: -0.5 }]), half)).toBeLessThan(1e-3);
    expect(await logitsWith(generator)).toEqual(before);
  });
});

describe('an adapter in a GGUF file', () => {
  const id = 'llama-llama3-rope';
  const names = {
    'self_attn.q_proj': 'attn_q',
    'self_attn.k_proj': 'attn_k',
    'self_attn.v_proj': 'attn_v',
    'self_attn.o_proj': 'attn_output',
    'mlp.gate_proj': 'ffn_gate',
    'mlp.up_proj': 'ffn_up',
    'mlp.down_proj': 'ffn_down',
  };
  const nameOf = (name) => {
    const [, layer, module] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name);
    return `blk.${layer}.${names[module]}.weight`;
  };
  const tensors = folderTensors(folderOf(id));
  const parts = randomParts(tensors, { isWanted: inLayers, rankOf: () => 4, seed: 5 });
  const config = configOf(id);
  const headRows = config.hidden_size / config.num_attention_heads;
  const rowsOf = (name, part) => (/[qk]_proj/.test(name) ? interleaved(part, headRows) : part.b);

  test.each([
    ['the folder', folderOf(id), 6, 1.5],
    ['the GGUF file', `${folderOf(id)}.gguf`, 6, 1.5],
    ['the GGUF file, without an alpha', `${folderOf(id)}.gguf`, 0, 1],
  ])('on %s, gives the logits of merged weights', async (_, source, alpha, scale) => {
    const generator = await load(source);
    await generator.loadAdapter('a', ggufAdapter(parts, { architecture: 'llama', alpha, nameOf, rowsOf }));
    const files = {
      'config.json': `${folderOf(id)}/config.json`,
      'model.safetensors': safetensorsFile(merged(tensors, parts, () => scale)),
    };
    const expected = await logitsWith(await load(files));
    expect(distance(await logitsWith(generator, [{ name: 'a' }]), expected)).toBeLessThan(1e-3);
  });
});

test('rsLoRA divides by the root of the rank, and several adapters are added', async () => {
  const id = 'qwen3';
  const tensors = folderTensors(folderOf(id));
  const all = { isWanted: (name) => /q_proj|down_proj/.test(name), rankOf: () => 4 };
  const [first, second] = [randomParts(tensors, { ...all, seed: 2 }), randomParts(tensors, { ...all, seed: 3 })];
  const generator = await load(folderOf(id));
  await generator.loadAdapter('root', peftFiles(first, { r: 4, lora_alpha: 3, use_rslora: true }));
  await generator.loadAdapter('plain', peftFiles(second, { r: 4, lora_alpha: 3 }));
  const both = merged(
    merged(tensors, first, () => 3 / 2),
    second,
    () => (0.5 * 3) / 4,
  );
  const files = { 'config.json': `${folderOf(id)}/config.json`, 'model.safetensors': safetensorsFile(both) };
  const expected = await logitsWith(await load(files));
  const used = [{ name: 'root' }, { name: 'plain', scale: 0.5 }];
  expect(distance(await logitsWith(generator, used), expected)).toBeLessThan(1e-3);
});

test.each([
  ['falcon-h1', /self_attn/],
  ['qwen35-grouped', /linear_attn/],
])('the GGUF file of %s has other weights than its folder, for which an adapter was made', async (id, wanted) => {
  const parts = randomParts(folderTensors(folderOf(id)), { isWanted: (name) => inLayers(name) && wanted.test(name) });
  const loading = (await load(`${folderOf(id)}.gguf`)).loadAdapter('a', peftFiles(parts, { r: 3, lora_alpha: 3 }));
  await expect(loading).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

test('on quantized weights, an adapter adds the same as on floats', async () => {
  const id = 'qwen3';
  const tensors = folderTensors(folderOf(id));
  const parts = randomParts(tensors, { isWanted: inLayers });
  const peft = peftFiles(parts, { r: 3, lora_alpha: 0.6 });
  const float = await load(folderOf(id));
  const quantized = await load(folderOf(id), { quantize: 'int8' });
  for (const generator of [float, quantized]) await generator.loadAdapter('a', peft);
  const change = async (generator) => {
    const before = await logitsWith(generator);
    return (await logitsWith(generator, [{ name: 'a' }])).map((logit, i) => logit - before[i]);
  };
  const [expected, actual] = [await change(float), await change(quantized)];
  const largest = Math.max(...expected.map(Math.abs));
  expect(distance(actual, expected)).toBeLessThan(0.1 * largest);
});

test('with an adapter, guesses and texts at the same time have the tokens of a text alone', async () => {
  const tensors = folderTensors(folderOf('qwen3'));
  const generator = await load(folderOf('qwen3'));
  await generator.loadAdapter('a', peftFiles(randomParts(tensors, { isWanted: inLayers }), { r: 3, lora_alpha: 3 }));
  const prompt = [...ids, ...ids, ...ids];
  const options = { maxTokens: 40, temperature: 0, promptLookup: false };
  const plain = await idsOf(generator.generate(prompt, options));
  const adapters = [{ name: 'a' }];
  const adapted = await idsOf(generator.generate(prompt, { ...options, adapters }));
  expect(adapted).not.toEqual(plain);

  const guessing = generator.generate(prompt, { ...options, adapters, promptLookup: true });
  expect(await idsOf(guessing)).toEqual(adapted);
  expect((await guessing.finished).guessed).toBeGreaterThan(0);

  const [together] = generator.generateMany([prompt, ids, prompt], { ...options, adapters });
  const [beside] = generator.generateMany([prompt], options);
  expect(await Promise.all([idsOf(together), idsOf(beside)])).toEqual([adapted, plain]);
});
