// Models by name, from a server that answers like the Hugging Face Hub (hub_server.mjs).
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  convert,
  Embedder,
  ImageClassifier,
  ImageEmbedder,
  inspect,
  readTensor,
  TextGenerator,
  Tokenizer,
  validate,
} from 'quintet';
import { base, baseRows, bytesOf, expectRows, texts } from '../helpers/embedder_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { story, threads } from '../helpers/generator_fixtures.mjs';
import { contentsOf } from '../helpers/hub_folder.mjs';
import { filesOf as filesOfEmbedder } from '../helpers/image_embedder_fixtures.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { folderCase, llamaFolder, shards } from '../helpers/models/llama_folder.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';
import { collect } from '../helpers/streams.mjs';
import { filesOf, modelNamed, tensorOf } from '../helpers/vision_fixtures.mjs';

const { ids, rows, tolerance } = folderCase;
const vit = modelNamed('vit-hf');
const parts = ['llama-split-00001-of-00002.gguf', 'llama-split-00002-of-00002.gguf'];
let server;
let hub;
let files;
let home;

beforeAll(async () => {
  server = await serveHub();
  files = await llamaFolder();
  const readme = Buffer.from('# A model\n');
  server.add('zoo/decoder', { ...files, 'README.md': readme, 'onnx/model.onnx': readme, 'pytorch_model.bin': readme });
  server.add('zoo/embedder', { 'model.weights': bytesOf(base), 'README.md': readme });
  server.add(
    'zoo/split',
    Object.fromEntries(parts.map((name) => [`F32/${name}`, fixtureFile(`families/split/${name}`)])),
  );
  server.add('zoo/story', { 'story.amb': readFileSync(story) });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.forget();
  home = await mkdtemp(join(tmpdir(), 'quintet-hub-'));
  process.env.HF_HOME = home;
  hub = { endpoint: server.endpoint };
});
afterEach(async () => {
  delete process.env.HF_HOME;
  await rm(home, { recursive: true });
});

const asked = () => server.requests.map(({ path }) => path.replace(/[0-9a-f]{40}/, 'COMMIT'));

async function expectDecoder(generator) {
  expect(distance(await generator.logits(ids), rows.at(-1))).toBeLessThanOrEqual(tolerance);
  generator.close();
}

describe.each(threads)('%s', (_, worker) => {
  test('a text generator in shards: one request, and one for each file it needs', async () => {
    const progress = [];
    const generator = await TextGenerator.load('hf:zoo/decoder', {
      hub,
      worker,
      onProgress: (event) => progress.push(event),
    });
    await expectDecoder(generator);
    const needed = ['config.json', 'model.safetensors.index.json', ...shards];
    expect(asked()[0]).toBe('/api/models/zoo/decoder/revision/main?blobs=true');
    expect(asked().slice(1).sort()).toEqual(needed.map((name) => `/zoo/decoder/resolve/COMMIT/${name}`).sort());
    expect(server.storeRequests).toHaveLength(shards.length);
    const total = needed.reduce((sum, name) => sum + files[name].length, 0);
    const downloads = progress.filter(({ stage }) => stage === 'download');
    expect(new Set(downloads.map((event) => event.total))).toEqual(new Set([total]));
    expect(downloads.at(-1).loaded).toBe(total);
  });

  test('an embedder in one file', async () => {
    const embedder = await Embedder.load('hf:zoo/embedder', { hub, worker });
    expectRows(await embedder.embed(texts.slice(0, 2)), baseRows.slice(0, 2));
    embedder.close();
    expect(asked()).toEqual([
      '/api/models/zoo/embedder/revision/main?blobs=true',
      '/zoo/embedder/resolve/COMMIT/model.weights',
    ]);
  });
});

test.each([
  ['by the name of one part', `hf:zoo/split/F32/${parts[1]}`],
  ['by its type', 'hf:zoo/split:F32'],
  ['as the only model', 'hf:zoo/split'],
  ['as Python spells it', 'hf://zoo/split@main'],
])('a split GGUF model %s', async (_, name) => {
  const generator = await TextGenerator.load(name, { hub });
  const expected = JSON.parse(Buffer.from(fixtureFile('families/split/expected.json')).toString());
  expect(generator.info.format).toBe('gguf');
  expect(expected).toBeDefined();
  generator.close();
  expect(asked().slice(1)).toEqual(parts.map((part) => `/zoo/split/resolve/COMMIT/F32/${part}`));
});

test('inspect, validate and readTensor', async () => {
  const info = await inspect('hf:zoo/story', { hub });
  expect(info).toEqual(await inspect(story));
  // The list, then the beginning of the file, which is redirected to the store. Nothing is kept of it.
  expect(server.storeRequests.map(({ range }) => range)).toEqual([
    'bytes=0-65535',
    ...server.storeRequests.slice(1).map(({ range }) => range),
  ]);
  expect(contentsOf(home)).toEqual({});
  expect(await validate('hf:zoo/story', { hub })).toEqual(await validate(story));
  const [{ name }] = info.tensors;
  expect(await readTensor('hf:zoo/story/story.amb', name, { hub })).toEqual(await readTensor(story, name));
});

test('convert gives the same bytes as from the files', async () => {
  const fromHub = await collect(convert('hf:zoo/decoder', { to: 'amb', hub }));
  const fromFiles = await collect(convert(files, { to: 'amb' }));
  expect(Buffer.compare(fromHub, fromFiles)).toBe(0);
});

test('Tokenizer reads the tokenizer of a file, not its weights', async () => {
  const tokenizer = await Tokenizer.load('hf:zoo/story', { hub });
  const same = await Tokenizer.load(story);
  expect(tokenizer.encode('Once upon a time')).toEqual(same.encode('Once upon a time'));
  for (const each of [tokenizer, same]) each.close();
  expect(asked()).toHaveLength(2);
});

describe('names', () => {
  test.each([
    'hf:',
    'hf:gpt2',
    'hf:a/b@',
    'hf:a/b@../c',
    'hf:a/../b',
    'hf:a/b/../../c',
    'hf:a/b:',
    'hf:a/b:Q4/x',
    'hf:a--b/c',
    'hf:a/b\\c',
    'hf:a/b//c',
  ])('%s is invalid', async (name) => {
    expect(await failureOf(TextGenerator.load(name, { hub }))).toMatchObject({ code: 'INPUT', reason: 'malformed' });
    expect(server.requests).toHaveLength(0);
  });

  test('a revision is a branch, a tag or a commit', async () => {
    const moved = server.add('zoo/moved', { 'a.amb': fixtureFile('amb/llama-f32.amb') }, { revision: 'v1' });
    for (const revision of ['v1', moved])
      await expectDecoder(await TextGenerator.load(`hf:zoo/moved@${revision}`, { hub }));
    const error = await failureOf(TextGenerator.load('hf:zoo/moved@v2', { hub }));
    expect(error).toMatchObject({
      code: 'IO',
      reason: 'not_found',
      message: expect.stringContaining('hf:zoo/moved@v2: the repository has no such revision'),
    });
    server.add('zoo/moved', { 'a.amb': fixtureFile('amb/llama-f32.amb') }, { revision: 'refs/pr/1' });
    await expectDecoder(await TextGenerator.load('hf:zoo/moved@refs/pr/1/a.amb', { hub }));
  });
});

describe('files of a repository', () => {
  const listOf = (...paths) => Object.fromEntries(paths.map((path) => [path, Buffer.from(path)]));
  const chosen = async (id, load) => {
    await failureOf(load(id));
    return asked()
      .slice(1)
      .map((path) => path.split('/resolve/COMMIT/')[1])
      .sort();
  };
  const loadGenerator = (name) => TextGenerator.load(name, { hub });

  test.each([
    ['Q4_K_M where nothing is said', '', ['m-Q2_K.gguf', 'm-Q4_K_M.gguf', 'm-Q8_0.gguf'], ['m-Q4_K_M.gguf']],
    ['in small letters', ':q8_0', ['m.q4_k_m.gguf', 'm.q8_0.gguf'], ['m.q8_0.gguf']],
    ['not its relatives', ':Q4_K_XL', ['m-UD-Q4_K_XL.gguf', 'm-Q4_K_XL.gguf'], ['m-Q4_K_XL.gguf']],
    ['with a prefix', ':UD-Q4_K_XL', ['m-UD-Q4_K_XL.gguf', 'm-Q4_K_XL.gguf'], ['m-UD-Q4_K_XL.gguf']],
    ['no projector', '', ['m-Q4_K_M.gguf', 'mmproj-F16.gguf'], ['m-Q4_K_M.gguf']],
    ['its only model', '', ['m-IQ3_S.gguf', 'imatrix.gguf'], ['m-IQ3_S.gguf']],
    [
      'GGUF although there are safetensors',
      ':Q8_0',
      ['config.json', 'model.safetensors', 'm-Q8_0.gguf'],
      ['m-Q8_0.gguf'],
    ],
    [
      'safetensors where both are',
      '',
      ['config.json', 'model.safetensors', 'm-Q4_K_M.gguf'],
      ['config.json', 'model.safetensors'],
    ],
    [
      'whole weights once',
      '',
      ['config.json', 'model.safetensors', 'consolidated.safetensors'],
      ['config.json', 'model.safetensors'],
    ],
    [
      'all that describes it',
      '',
      [
        'config.json',
        'generation_config.json',
        'chat_template.jinja',
        'tokenizer.json',
        'tokenizer_config.json',
        'vocab.txt',
        'vocab.json',
        'README.md',
        'x/config.json',
        'model.safetensors',
      ],
      [
        'chat_template.jinja',
        'config.json',
        'generation_config.json',
        'model.safetensors',
        'tokenizer.json',
        'tokenizer_config.json',
      ],
    ],
  ])('%s', async (_, quant, paths, expected) => {
    server.add('zoo/list', listOf(...paths));
    // The files are none, so that the first one is read as far as its first bytes; the others are on their way then.
    expect(await chosen(`hf:zoo/list${quant}`, loadGenerator)).toEqual(expected);
  });

  test.each([
    [':Q8_0', ['m-Q2_K.gguf', 'm-Q4_K_M.gguf'], "no 'Q8_0'; there is :Q2_K, :Q4_K_M"],
    ['', ['m-Q2_K.gguf', 'm-Q8_0.gguf', 'plain.gguf'], 'no Q4_K_M, the default; there is :Q2_K, :Q8_0, /plain.gguf'],
    ['', ['a-Q4_K_M.gguf', 'b-Q4_K_M.gguf'], 'hf:zoo/list/a-Q4_K_M.gguf, hf:zoo/list/b-Q4_K_M.gguf'],
    ['/x.gguf', ['m-Q2_K.gguf'], 'zoo/list has no file x.gguf; it has m-Q2_K.gguf'],
    [':Q8_0', ['config.json', 'model.safetensors'], "has no GGUF model for TextGenerator, so ':Q8_0' cannot be chosen"],
    [
      '',
      ['config.json', 'onnx/model.onnx', 'pytorch_model.bin', 'x.pt'],
      /onnx\/model\.onnx: ONNX graphs.*pytorch_model\.bin and so on: PyTorch pickles.*save_pretrained/,
    ],
    ['', ['adapter_config.json', 'adapter_model.safetensors'], 'an adapter (LoRA), not a whole model'],
    [
      '',
      [],
      'zoo/list has nothing that TextGenerator reads: that is config.json and *.safetensors, or *.gguf, or *.amb, or *.alt',
    ],
  ])('%s of %j: an error that lists it', async (behind, paths, message) => {
    server.add('zoo/list', listOf(...paths));
    const error = await failureOf(loadGenerator(`hf:zoo/list${behind}`));
    expect(error.message).toMatch(message);
    expect(asked()).toHaveLength(1);
  });

  test('an image network: its configurations and its weights, and nothing else', async () => {
    const files = filesOf(vit);
    const readme = Buffer.from('# A model\n');
    server.add('zoo/vit', { ...files, 'README.md': readme, 'pytorch_model.bin': readme, 'training_args.bin': readme });
    const classifier = await ImageClassifier.load('hf:zoo/vit', { hub });
    const { input, expected, tolerance } = vit.runs[0];
    expect(distance(await classifier.logits(tensorOf(input), input.shape), expected)).toBeLessThanOrEqual(tolerance);
    expect(classifier.labels).toContain('tree frog');
    classifier.close();
    expect(asked().slice(1).sort()).toEqual(
      Object.keys(files)
        .map((name) => `/zoo/vit/resolve/COMMIT/${name}`)
        .sort(),
    );
  });

  test('a model of pictures and words: its tokenizer too', async () => {
    const names = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'];
    const files = filesOfEmbedder('clip-hf-sparse', [...names, 'special_tokens_map.json', 'model.safetensors']);
    server.add('zoo/clip', { ...files, 'vocab.json': Buffer.from('{}'), 'merges.txt': Buffer.from('') });
    const embedder = await ImageEmbedder.load('hf:zoo/clip', { hub });
    expect(embedder.towers).toEqual(['image', 'text']);
    embedder.close();
    expect(asked().slice(1).sort()).toEqual(
      Object.keys(files)
        .map((name) => `/zoo/clip/resolve/COMMIT/${name}`)
        .sort(),
    );
  });

  test('a classifier is one file, which must be named', async () => {
    server.add('zoo/list', listOf('a.tinyruntime', 'b.tinyruntime'));
    const error = await failureOf(ImageClassifier.load('hf:zoo/list', { hub }));
    expect(error.message).toContain('name one, hf:zoo/list/a.tinyruntime');
  });

  test('a list in pages, from a server that sends no sizes', async () => {
    server.pageSize = 2;
    server.blobs = false;
    await expectDecoder(await TextGenerator.load('hf:zoo/decoder', { hub }));
    const trees = asked().filter((path) => path.includes('/tree/'));
    expect(trees).toHaveLength(4);
    expect(trees[0]).toBe('/api/models/zoo/decoder/tree/COMMIT?recursive=true');
    Object.assign(server, { pageSize: 1000, blobs: true });
  });
});
