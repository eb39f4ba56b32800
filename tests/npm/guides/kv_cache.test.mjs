// docs/kv-cache.md: its JavaScript runs, with a cache that was computed as transformers does, and its statement about
// the order of elements holds for every kind of model file.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { inspect, readTensor } from 'quintet';
import { readSafetensors, toFloat32, writeSafetensors } from 'quintet/safetensors';
import { distance } from '../helpers/expectations.mjs';
import { runCases, story, withGenerator } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { ggufFile } from '../helpers/models/gguf_writer.mjs';
import { listen } from '../helpers/servers/http_server.mjs';
import { prefill } from './llama_reference.mjs';

const root = new URL('../../../', import.meta.url);
const guide = readFileSync(new URL('docs/kv-cache.md', root), 'utf8');
const [goOn, sendBack] = [...guide.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
const prompt = 'Once upon a time, there was a little girl named Lily.';
const question = / session\.generate\('([^']*)'/.exec(goOn)[1];

/** The weights of a model file as float32, and its sizes as a config.json has them. */
async function readModel(path) {
  const { config, tensors } = await inspect(path);
  const weights = {};
  for (const { name } of tensors) weights[name] = (await readTensor(path, name)).data;
  const sizes = {
    hidden_size: config.n_embd,
    num_hidden_layers: config.n_layers,
    num_attention_heads: config.n_heads,
    num_key_value_heads: config.n_kv_heads,
    intermediate_size: weights['model.layers.0.mlp.gate_proj.weight'].length / config.n_embd,
    vocab_size: config.n_vocab,
    rms_norm_eps: 1e-5,
    rope_theta: 10000,
  };
  return { weights, sizes };
}

/** The tensors of the guide's Python program. */
function cacheTensors({ layers, logits }, ids) {
  const tensors = new Map();
  for (const [layer, { keys, values }] of layers.entries()) {
    const shape = [1, keys.length, ids.length, keys[0][0].length];
    tensors.set(`layer_${layer}_key`, { dtype: 'F32', shape, data: Float32Array.from(keys.flat(2)) });
    tensors.set(`layer_${layer}_value`, { dtype: 'F32', shape, data: Float32Array.from(values.flat(2)) });
  }
  tensors.set('logits', { dtype: 'F32', shape: [logits.length], data: Float32Array.from(logits) });
  return tensors;
}

/** Largest difference between the keys and values of two files. */
function furthest(tensors, expected) {
  const names = [...expected.keys()].filter((name) => name.startsWith('layer_'));
  return Math.max(...names.map((name) => distance(toFloat32(tensors.get(name)), toFloat32(expected.get(name)))));
}

const tensorsOf = async (file) => (await readSafetensors(file)).tensors;

describe('the program for pages', () => {
  let server;
  let sent;
  let output;
  let ids;
  let model;
  beforeAll(async () => {
    model = await readModel(story);
    ids = await withGenerator(story, {}, async (generator) => Array.from(await generator.tokenize(prompt)));
    const files = {
      '/model.amb': readFileSync(story),
      '/prompt.safetensors': await writeSafetensors(cacheTensors(prefill(model.weights, model.sizes, ids), ids), {
        token_ids: ids.join(','),
      }),
    };
    server = await listen(async (request, response) => {
      if (request.method !== 'PUT') return void response.end(files[request.url]);
      sent = { path: request.url, file: new Uint8Array(await new Response(request).arrayBuffer()) };
      response.end();
    });
    const source = `${goOn}\n${sendBack}`.replaceAll('https://example.com/', server.url);
    const args = ['--no-warnings', '--input-type=module', '--eval', source];
    ({ stdout: output } = await promisify(execFile)(process.execPath, args, { cwd: root }));
  });
  afterAll(() => server?.close());

  test('continues like a model that has read the prompt, and computes only the question', async () => {
    const [text, computed] = await withGenerator(story, {}, async (generator) => {
      const session = generator.createSession();
      await session.generate(prompt, { maxTokens: 1, temperature: 0 }).text();
      session.rewind(ids.length);
      const before = session.length;
      const generation = session.generate(question, { maxTokens: 40, temperature: 0 });
      return [await generation.text(), (await generation.finished).promptTokens + before - ids.length];
    });
    expect(output).toBe(`${text}\n${computed}\n`);
    expect(text.length).toBeGreaterThan(60);
  });

  test('returns a file with what transformers would have cached of the whole conversation', async () => {
    expect(sent.path).toBe('/conversation.safetensors');
    const { tensors, metadata } = await readSafetensors(sent.file);
    const all = metadata.token_ids.split(',').map(Number);
    expect(all.slice(0, ids.length)).toEqual(ids);
    expect(all.length).toBeGreaterThan(ids.length + 40);
    const expected = cacheTensors(prefill(model.weights, model.sizes, all), all);
    expect(furthest(tensors, expected)).toBeLessThan(0.01); // float16 of values up to 10
  });
});

test('logits in the file of Python choose the next token without any computation', async () => {
  const model = await readModel(story);
  await withGenerator(story, {}, async (generator) => {
    const ids = Array.from(await generator.tokenize(prompt));
    const expected = await generator.generate(ids, { maxTokens: 20, temperature: 0 }).text();
    const session = generator.createSession();
    const file = await writeSafetensors(cacheTensors(prefill(model.weights, model.sizes, ids), ids), {
      token_ids: ids.join(','),
    });
    await session.loadCache(file, { sampler: true });
    const generation = session.generate('', { maxTokens: 20, temperature: 0 });
    expect(await generation.text()).toBe(expected);
    expect((await generation.finished).prefillTokens).toBe(0);
  });
});

describe('the order of elements is that of transformers', () => {
  const { path, ids } = runCases.find((candidate) => candidate.path === 'amb/llama-f32.amb');
  let expected;
  let model;
  beforeAll(async () => {
    model = await readModel(fixturePath(path));
    expected = cacheTensors(prefill(model.weights, model.sizes, ids), ids);
  });

  async function expectCache(source) {
    await withGenerator(source, {}, async (generator) => {
      const session = generator.createSession();
      await session.generate(ids, { maxTokens: 1, temperature: 0 }).text();
      session.rewind(ids.length);
      const file = await session.saveCache();
      expect(furthest(await tensorsOf(file), expected)).toBeLessThan(1e-5);
    });
  }

  test('AMB', () => expectCache(fixturePath(path)));

  test('a Hugging Face folder', () => folderOf(model).then(expectCache));

  test('GGUF, whose rows are interleaved', () => expectCache(ggufOf(model)));
});

const f32 = (data, shape) => ({ dtype: 'F32', shape, data });
const shapeOf = (name, data, width) => {
  if (name.includes('norm')) return [data.length];
  const columns = name.includes('down_proj') ? data.length / width : width;
  return name.includes('down_proj') ? [width, columns] : [data.length / columns, columns];
};

async function folderOf({ weights, sizes }) {
  const config = {
    ...sizes,
    model_type: 'llama',
    max_position_embeddings: 64,
    hidden_act: 'silu',
    tie_word_embeddings: false,
  };
  const tensors = Object.entries(weights).map(([name, data]) => [
    name,
    f32(data, shapeOf(name, data, sizes.hidden_size)),
  ]);
  return {
    'config.json': new TextEncoder().encode(JSON.stringify(config)),
    'model.safetensors': await writeSafetensors(new Map(tensors)),
  };
}

const ggufNames = {
  'model.embed_tokens': 'token_embd',
  'model.norm': 'output_norm',
  lm_head: 'output',
  input_layernorm: 'attn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  post_attention_layernorm: 'ffn_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

/** The order of llama.cpp's converter: row 2i + h of a head of queries or keys is row i of half h. */
function ggufOf({ weights, sizes }) {
  const headDim = sizes.hidden_size / sizes.num_attention_heads;
  const tensors = Object.entries(weights).map(([name, data]) => {
    const [, layer, part] = /^(?:model\.layers\.(\d+)\.)?(.+)\.weight$/.exec(name);
    const rows = /q_proj|k_proj/.test(name) ? interleaved(data, sizes.hidden_size, headDim) : data;
    return {
      name: `${layer === undefined ? '' : `blk.${layer}.`}${ggufNames[part]}.weight`,
      type: 'F32',
      shape: shapeOf(name, data, sizes.hidden_size),
      data: new Uint8Array(rows.slice().buffer),
    };
  });
  const values = [
    ['general.architecture', 'string', 'llama'],
    ['llama.block_count', 'uint32', sizes.num_hidden_layers],
    ['llama.context_length', 'uint32', 64],
    ['llama.embedding_length', 'uint32', sizes.hidden_size],
    ['llama.feed_forward_length', 'uint32', sizes.intermediate_size],
    ['llama.attention.head_count', 'uint32', sizes.num_attention_heads],
    ['llama.attention.head_count_kv', 'uint32', sizes.num_key_value_heads],
    ['llama.attention.layer_norm_rms_epsilon', 'float32', sizes.rms_norm_eps],
  ];
  return ggufFile({ values, tensors });
}

function interleaved(data, width, headDim) {
  const rows = Array.from({ length: data.length / width }, (_, row) => {
    const [head, of] = [row - (row % headDim), row % headDim];
    const from = head + (of % 2) * (headDim / 2) + Math.floor(of / 2);
    return [...data.subarray(from * width, (from + 1) * width)];
  });
  return Float32Array.from(rows.flat());
}
