// Sessions of each family of decoders: a forked, rewound, saved or reused session computes as if its text had been read
// again.

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { TextGenerator } from 'quintet';
import { fixturePath } from '../../helpers/model_fixtures.mjs';

/** One of each architecture; `ids` are as long as its windows and original lengths together, at least. */
const models = [
  'llama-llama3-rope',
  'qwen2-tied',
  'qwen3',
  'qwen35',
  'qwen35-grouped',
  'olmo2',
  'phi3-plain',
  'phi3-longrope',
  'phi4-mini',
  'gemma',
  'gemma2',
  'gemma3',
  'gemma3n',
  'gemma4',
  'gemma4-kv',
  'granite',
  'smollm3',
  'stablelm',
  'ministral3',
  'lfm2',
  'granite4-dense',
  'minicpm',
  'ernie4_5',
  'hunyuan-dense',
  'seed-oss',
  'exaone4',
  'olmo3-yarn',
  'cohere2',
  'starcoder2',
  'olmoe',
  'granitemoe',
  'granitemoe-shared',
  'qwen2moe',
  'qwen3moe',
  'lfm2moe',
  'granitehybrid',
  'granitehybrid-moe',
  'falcon-h1',
  'falcon-h1-norm',
  'mamba2',
  'nemotron-h',
  'qwen35-mtp',
  'gpt2',
  'gptneox',
  'gptneox-sequential',
  'glm4',
  'glm-edge',
  'internlm2',
  'exaone',
  'arcee',
  'apertus',
  'smallthinker',
].map((id) => [id, `families/${id}.gguf`]);
const folders = ['helium', 'mistral-window', 'gemma3n-folder'].map((id) => [id, `families/${id}`]);
const all = [...models, ...folders];
const ids = Array.from({ length: 56 }, (_, i) => (i * 37 + 11) % 256);
const kept = 40;
const other = [7, 8, 9];

const loaded = [];
afterAll(() => loaded.forEach((generator) => generator.close()));

const distance = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));
const read = async (session, tokens) => {
  const length = session.length + tokens.length;
  await session.generate(tokens, { temperature: 0, maxTokens: 1 }).finished;
  session.rewind(length);
  return session.logits();
};

describe.each(all)('%s', (id, path) => {
  const load = async (threads) => {
    const generator = await TextGenerator.load(fixturePath(path), { threads, kvCache: 'f32' });
    loaded.push(generator);
    return generator;
  };

  test.each([1, 2])('with %d threads', async (threads) => {
    const generator = await load(threads);
    const fresh = {
      whole: await generator.logits(ids),
      kept: await generator.logits(ids.slice(0, kept)),
      other: await generator.logits([...ids.slice(0, kept), ...other]),
    };
    const session = generator.createSession();
    expect(distance(await read(session, ids.slice(0, kept)), fresh.kept)).toBeLessThan(1e-4);

    const fork = session.fork();
    expect(distance(await read(fork, other), fresh.other)).toBeLessThan(1e-4);
    expect(distance(await read(session, ids.slice(kept)), fresh.whole)).toBeLessThan(1e-4);

    session.rewind(kept);
    expect(distance(await session.logits(), fresh.kept)).toBeLessThan(1e-4);
    // Equals the state after a common prefix.
    expect(distance(await read(session, other), fresh.other)).toBeLessThan(1e-4);

    const restored = generator.createSession();
    await restored.loadCache(await fork.saveCache());
    expect([...restored.tokens]).toEqual([...ids.slice(0, kept), ...other]);
    expect(distance(await restored.logits(), fresh.other)).toBeLessThan(1e-4);
    restored.rewind(kept);
    expect(distance(await read(restored, ids.slice(kept)), fresh.whole)).toBeLessThan(1e-4);
  });
});

test('no file of the families is missing', () => {
  const expected = JSON.parse(readFileSync(fixturePath('families/expected.json'), 'utf8'));
  const files = new Set(expected.map(({ model, id }) => model ?? id));
  expect(all.map(([id]) => id).sort()).toEqual([...files].sort());
});
