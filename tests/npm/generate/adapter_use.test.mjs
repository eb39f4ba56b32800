// Adapters of a model: which texts use them, what sessions keep, and what is refused.
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { threads } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import {
  folderTensors,
  ggufAdapter,
  jsonFile,
  peftFiles,
  randomParts,
  safetensorsFile,
} from '../helpers/models/adapter_files.mjs';

const folder = fixturePath('families/qwen3');
const tensors = folderTensors(folder);
const config = { r: 3, lora_alpha: 3 };
const partsOf = (seed) => randomParts(tensors, { isWanted: (name) => /q_proj|down_proj/.test(name), seed });
const [first, second] = [peftFiles(partsOf(1), config), peftFiles(partsOf(2), config)];
const prompt = Array.from({ length: 40 }, (_, i) => (i * 37) % 280);
const greedy = { temperature: 0, maxTokens: 12 };

const tokensOf = async (from, ids, options) => {
  const tokens = [];
  for await (const { id } of from.generate(ids, { ...greedy, ...options })) tokens.push(id);
  return tokens;
};

describe.each(threads)('%s', (_, worker) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(folder, { worker });
    await generator.loadAdapter('a', first);
    await generator.loadAdapter('b', second);
  });
  afterAll(() => generator.close());

  test('a prompt reuses only tokens computed with the same adapters', async () => {
    const prefilled = async (adapters) => {
      const { prefillTokens } = await generator.generate(prompt, { ...greedy, adapters }).finished;
      return prefillTokens;
    };
    const a = [{ name: 'a' }];
    await generator.generate([1], greedy).text();
    expect(await prefilled(a)).toBe(prompt.length);
    // At most the last token is computed, because its logits are needed.
    expect(await prefilled(a)).toBeLessThanOrEqual(1);
    expect(await prefilled([{ name: 'a', scale: 0.5 }])).toBe(prompt.length);
    expect(await prefilled([{ name: 'b' }])).toBe(prompt.length);
    expect(await prefilled([])).toBe(prompt.length);
    expect(await prefilled(undefined)).toBeLessThanOrEqual(1);
  });

  test('texts with alternating adapters equal those of separate generators', async () => {
    const uses = [undefined, [{ name: 'a' }], [{ name: 'b', scale: 2 }], [{ name: 'a' }, { name: 'b' }]];
    const alone = [];
    for (const adapters of uses) {
      const other = await TextGenerator.load(folder);
      await other.loadAdapter('a', first);
      await other.loadAdapter('b', second);
      alone.push(await tokensOf(other, prompt, { adapters }));
      other.close();
    }
    expect(new Set(alone.map(String)).size).toBeGreaterThan(2);
    for (const i of [0, 1, 2, 3, 1, 0, 3, 2])
      expect(await tokensOf(generator, prompt, { adapters: uses[i] })).toEqual(alone[i]);
  });

  test('sessions that compute at the same time have their own adapters', async () => {
    const uses = [undefined, [{ name: 'a' }], [{ name: 'b' }], [{ name: 'a' }]];
    const alone = [];
    for (const adapters of uses) alone.push(await tokensOf(generator, prompt, { adapters }));
    const sessions = uses.map(() => generator.createSession());
    const together = uses.map((adapters, i) => tokensOf(sessions[i], prompt, { adapters }));
    expect(await Promise.all(together)).toEqual(alone);
    for (const session of sessions) session.close();
  });

  test('a session keeps what it computed, and continues with other adapters', async () => {
    const session = generator.createSession();
    await session.generate(prompt, { ...greedy, adapters: [{ name: 'a' }] }).text();
    const held = session.length;
    const { prefillTokens } = await session.generate([5, 6, 7], greedy).finished;
    // The last token of the answer may have been waiting.
    expect(prefillTokens).toBeLessThanOrEqual(4);
    expect(session.length).toBeGreaterThan(held);
    const fork = session.fork();
    expect(await tokensOf(fork, [9], { adapters: [{ name: 'b' }] })).toEqual(
      await tokensOf(session, [9], { adapters: [{ name: 'b' }] }),
    );
    for (const each of [session, fork]) each.close();
  });

  test('a cache with adapters is not saved; one without them is', async () => {
    const session = generator.createSession();
    await session.generate(prompt, { ...greedy, adapters: [{ name: 'a' }] }).text();
    expect(await failureOf(session.saveCache())).toMatchObject({ code: 'UNSUPPORTED' });
    session.rewind(0);
    await session.generate(prompt, greedy).text();
    expect((await session.saveCache()).length).toBeGreaterThan(1000);
    session.close();
  });

  test('scores and logits are those of the model', async () => {
    const logits = await generator.logits(prompt);
    await generator.generate(prompt, { ...greedy, adapters: [{ name: 'a' }] }).text();
    expect(await generator.logits(prompt)).toEqual(logits);
  });

  test('a dropped adapter is unknown; the text that used it stays', async () => {
    const other = await TextGenerator.load(folder, { worker });
    await other.loadAdapter('a', first);
    const session = other.createSession();
    await session.generate(prompt, { ...greedy, adapters: [{ name: 'a' }] }).text();
    await other.unloadAdapter('a');
    await expect(other.generate(prompt, { adapters: [{ name: 'a' }] }).text()).rejects.toMatchObject({
      code: 'INPUT',
      reason: 'unknown_value',
    });
    await expect(other.unloadAdapter('a')).rejects.toMatchObject({ code: 'INPUT', reason: 'unknown_value' });
    expect(await tokensOf(session, [3])).toHaveLength(12);
    other.close();
  });

  const [module] = Object.keys(partsOf(1)).map((name) => name.replace(/\.weight$/, ''));
  const edited = (edit) => {
    const parts = partsOf(1);
    edit(parts);
    return peftFiles(parts, config);
  };
  const renamed = (from, to) => {
    const entry = { shape: [3, 64], values: new Float32Array(192) };
    return { ...first, 'adapter_model.safetensors': safetensorsFile({ [to ?? from]: entry }) };
  };
  const withConfig = (more) => ({
    ...first,
    'adapter_config.json': jsonFile({ peft_type: 'LORA', ...config, ...more }),
  });

  test.each([
    [
      'another rank than the configuration says',
      withConfig({ r: 4 }),
      'FORMAT',
      /shape \[3, 64\], but expected \[4, 64\]/,
    ],
    ['DoRA', withConfig({ use_dora: true }), 'UNSUPPORTED', /use_dora/],
    ['saved modules', withConfig({ modules_to_save: ['lm_head'] }), 'UNSUPPORTED', /modules_to_save/],
    ['biases', withConfig({ bias: 'all' }), 'UNSUPPORTED', /bias/],
    ['another method', withConfig({ peft_type: 'IA3' }), 'UNSUPPORTED', /peft_type/],
    ['a pattern that is an expression', withConfig({ rank_pattern: { '.*q_proj$': 4 } }), 'UNSUPPORTED', /expression/],
    ['no rank', withConfig({ r: 0 }), 'FORMAT', /r is not a rank/],
    ['a huge alpha', withConfig({ lora_alpha: 1e300 }), 'FORMAT', /lora_alpha/],
    [
      'a configuration that is no JSON',
      { ...first, 'adapter_config.json': Uint8Array.of(123) },
      'FORMAT',
      /JSON object/,
    ],
    [
      'no configuration',
      { 'adapter_model.safetensors': first['adapter_model.safetensors'] },
      'INPUT',
      /adapter_config/,
    ],
    ['embeddings', renamed('base_model.model.model.embed_tokens.lora_embedding_A'), 'UNSUPPORTED', /embeddings/],
    ['magnitudes', renamed(`base_model.model.${module}.lora_magnitude_vector`), 'UNSUPPORTED', /magnitudes/],
    [
      'an unknown module',
      renamed('base_model.model.model.layers.0.self_attn.x_proj.lora_A.weight'),
      'UNSUPPORTED',
      /no such/,
    ],
    [
      'a layer beyond the last',
      renamed('base_model.model.model.layers.99.self_attn.q_proj.lora_A.weight'),
      'UNSUPPORTED',
      /no such/,
    ],
    ['a norm', renamed('base_model.model.model.layers.0.input_layernorm.lora_A.weight'), 'UNSUPPORTED', /no such/],
    ['an A without a B', renamed(`base_model.model.${module}.lora_A.weight`), 'FORMAT', /counterpart/],
    ['no tensors', { ...first, 'adapter_model.safetensors': safetensorsFile({}) }, 'FORMAT', /no tensors/],
    ['NaN', edited((parts) => (parts[`${module}.weight`].b[1] = NaN)), 'FORMAT', /not finite/],
    ['infinity', edited((parts) => (parts[`${module}.weight`].a[0] = Infinity)), 'FORMAT', /not finite/],
    [
      'too few rows',
      edited((parts) => {
        const part = parts[`${module}.weight`];
        Object.assign(part, { rows: part.rows - 1, b: part.b.subarray(3) });
      }),
      'FORMAT',
      /expected/,
    ],
  ])('%s is rejected, and nothing changes', async (__, source, code, message) => {
    const before = await tokensOf(generator, prompt, { adapters: [{ name: 'a' }] });
    const failure = await failureOf(generator.loadAdapter('a', source));
    expect(failure).toMatchObject({ code });
    expect(failure.message).toMatch(message);
    expect(await tokensOf(generator, prompt, { adapters: [{ name: 'a' }] })).toEqual(before);
  });

  const gguf = (values = [], nameOf = () => 'blk.0.attn_q.weight') => {
    const [[name, part]] = Object.entries(partsOf(1));
    return ggufAdapter({ [name]: part }, { architecture: 'qwen3', alpha: 2, nameOf, values });
  };

  test.each([
    ['of another architecture', gguf([['general.architecture', 'string', 'llama']]), 'INPUT', /an adapter for llama/],
    ['that is a model', gguf([['general.type', 'string', 'model']]), 'INPUT', /not an adapter/],
    ['that is no LoRA', gguf([['adapter.type', 'string', 'ia3']]), 'INPUT', /not an adapter/],
    ['with an unknown matrix', gguf([], () => 'blk.0.attn_x.weight'), 'UNSUPPORTED', /no such/],
    ['cut short', gguf().subarray(0, 2000), 'FORMAT', /./],
  ])('a GGUF file %s is rejected', async (__, file, code, message) => {
    const failure = await failureOf(generator.loadAdapter('c', file));
    expect(failure).toMatchObject({ code });
    expect(failure.message).toMatch(message);
  });

  test.each([
    [[{ name: 'nobody' }], 'unknown_value'],
    [[{ name: 'a', scale: NaN }], 'out_of_range'],
    [[{ name: 'a', weight: 1 }], 'out_of_range'],
    [[{}], 'out_of_range'],
    ['a', 'out_of_range'],
  ])('adapters: %p', async (adapters, reason) => {
    expect(await failureOf(generator.generate(prompt, { adapters }).text())).toMatchObject({ code: 'INPUT', reason });
  });

  test('an unknown name', async () => {
    for (const name of ['', 5, undefined])
      expect(await failureOf(generator.loadAdapter(name, first))).toMatchObject({ code: 'INPUT' });
  });

  test('an abort leaves the adapters as they were', async () => {
    const signal = AbortSignal.abort();
    expect(await failureOf(generator.loadAdapter('c', first, { signal }))).toMatchObject({ code: 'ABORTED' });
    await expect(generator.generate(prompt, { adapters: [{ name: 'c' }] }).text()).rejects.toMatchObject({
      code: 'INPUT',
    });
  });
});

test('in Node, an adapter may be a folder', async () => {
  const path = await mkdtemp(join(tmpdir(), 'adapter-'));
  for (const [name, bytes] of Object.entries(first)) writeFileSync(join(path, name), bytes);
  writeFileSync(join(path, 'README.md'), '# An adapter');
  const generator = await TextGenerator.load(folder);
  await generator.loadAdapter('a', path);
  await generator.loadAdapter('same', first);
  expect(await tokensOf(generator, prompt, { adapters: [{ name: 'a' }] })).toEqual(
    await tokensOf(generator, prompt, { adapters: [{ name: 'same' }] }),
  );
  await rm(join(path, 'adapter_model.safetensors'));
  expect((await failureOf(generator.loadAdapter('a', path))).message).toMatch(/has no adapter_model.safetensors/);
  generator.close();
  await rm(path, { recursive: true });
});
