// Text generators from the files of a Hugging Face folder: the weights of a fixture under the same names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, readTensor, TextGenerator } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';
import { distance, failureOf, streamOf } from './fixtures.mjs';
import { runCases, threads, withGenerator } from './generator_fixtures.mjs';
import { fixturePath } from './model_fixtures.mjs';
import { quintet } from './cli/quintet.mjs';

const { path, ids, rows, tolerance } = runCases.find((candidate) => candidate.path === 'amb/llama-f32.amb');
const shards = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
let files;
let folder;

beforeAll(async () => {
  const { config, tensors } = await inspect(fixturePath(path));
  const map = {};
  const parts = [new Map(), new Map()];
  for (const [i, { name }] of tensors.entries()) {
    const { shape, data } = await readTensor(fixturePath(path), name);
    parts[i % 2].set(name, { dtype: 'F32', shape, data });
    map[name] = shards[i % 2];
  }
  const [inner] = tensors.find(({ name }) => name.includes('gate_proj')).shape;
  files = {
    'config.json': {
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      vocab_size: config.n_vocab,
      hidden_size: config.n_embd,
      num_hidden_layers: config.n_layers,
      num_attention_heads: config.n_heads,
      num_key_value_heads: config.n_kv_heads,
      intermediate_size: inner,
      max_position_embeddings: 64,
      hidden_act: 'silu',
      rms_norm_eps: 1e-5,
      rope_theta: 10000,
      tie_word_embeddings: false,
    },
    'model.safetensors.index.json': { metadata: {}, weight_map: map },
  };
  for (const [name, content] of Object.entries(files)) files[name] = new TextEncoder().encode(JSON.stringify(content));
  for (const [i, part] of parts.entries()) files[shards[i]] = await writeSafetensors(part);
  folder = mkdtempSync(join(tmpdir(), 'quintet-folder-'));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

const expectLogits = async (generator) =>
  expect(distance(await generator.logits(ids), rows.at(-1))).toBeLessThanOrEqual(tolerance);

describe.each(threads)('%s', (_, worker) => {
  test('by their names, in any order and of any kind', () => {
    const named = {
      [shards[1]]: streamOf(files[shards[1]], 777),
      [shards[0]]: new Blob([files[shards[0]]]),
      'model.safetensors.index.json': join(folder, 'model.safetensors.index.json'),
      'config.json': files['config.json'],
    };
    return withGenerator(named, { worker }, expectLogits);
  });

  test('by the path of the folder, or its URL', async () => {
    await withGenerator(folder, { worker }, expectLogits);
    await withGenerator(pathToFileURL(folder), { worker }, expectLogits);
  });

  test('what is missing or too much is told', async () => {
    const without = { ...files };
    delete without[shards[1]];
    expect((await failureOf(TextGenerator.load(without, { worker }))).code).toMatch(/FORMAT|INPUT/);
    expect((await failureOf(TextGenerator.load({ ...files, 'config.json': new Uint8Array(3) }, { worker }))).code).toBe('FORMAT');
    const integrity = `sha256-${'A'.repeat(43)}=`;
    expect(await failureOf(TextGenerator.load(files, { worker, integrity }))).toMatchObject({ code: 'INPUT' });
    expect((await failureOf(TextGenerator.load(tmpdir(), { worker }))).code).toBe('INPUT');
  });
});

test('the command line takes a folder', async () => {
  const { stdout } = await quintet(['logits', '--model', folder, '--ids', ids.join()]);
  expect(distance(JSON.parse(stdout).logits, rows.at(-1))).toBeLessThan(1e-3);
});
