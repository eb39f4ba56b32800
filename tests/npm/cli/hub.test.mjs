// Models of the Hub on the command line: pulled, listed, deleted, and used by name in every command.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base, bytesOf } from '../helpers/embedder_fixtures.mjs';
import { story } from '../helpers/generator_fixtures.mjs';
import { contentsOf, expectedContents, folderOf, makeAsPythonDoes } from '../helpers/hub_folder.mjs';
import { expectRefusal, fixture, quintet, quintetJson, scratchFolder, start } from '../helpers/quintet.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';

const scratch = scratchFolder();
let server;
let env;
let home;
let cache;
const texts = (...paths) => Object.fromEntries(paths.map((path) => [path, Buffer.from(`the content of ${path}`)]));

beforeAll(async () => {
  server = await serveHub();
  server.add('zoo/embedder', { 'model.weights': bytesOf(base), 'README.md': Buffer.from('# An embedder') });
  server.add('zoo/story', { 'story.amb': readFileSync(story) });
  server.add('zoo/resnet', { 'r18.tinyruntime': readFileSync(fixture('tinyruntime/r18-plain-vanilla.bin')) });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.forget();
  home = await mkdtemp(join(tmpdir(), 'quintet-hub-'));
  cache = join(home, 'hub');
  env = { HF_HOME: home, HF_ENDPOINT: server.endpoint, HF_TOKEN: server.token };
});
afterEach(() => rm(home, { recursive: true }));

test('pull downloads what quintet reads of an embedder of several modules, and Python finds it', async () => {
  const wanted = texts(
    ...['config.json', 'modules.json', '1_Pooling/config.json', '2_Dense/config.json', '2_Dense/model.safetensors'],
    ...['sentence_bert_config.json', 'config_sentence_transformers.json', 'tokenizer.json', 'tokenizer_config.json'],
    ...['special_tokens_map.json', 'model.safetensors'],
  );
  const others = texts(
    'vocab.txt',
    'onnx/model.onnx',
    'openvino/config.json',
    'pytorch_model.bin',
    'README.md',
    '.gitattributes',
  );
  const commit = server.add('zoo/modules', { ...others, ...wanted });
  const [report] = await quintetJson(['pull', 'hf:zoo/modules'], { env });
  expect(report).toMatchObject({ name: 'zoo/modules', commit });
  expect(report.files.map(({ path }) => path).sort()).toEqual(Object.keys(wanted).sort());
  expect(report.bytes).toBe(Object.values(wanted).reduce((sum, bytes) => sum + bytes.length, 0));
  const {
    [`${folderOf('zoo/modules')}/trees/${commit}.json`]: _tree,
    'CACHEDIR.TAG': _tag,
    ...stored
  } = contentsOf(cache);
  expect(stored).toEqual(expectedContents('zoo/modules', commit, wanted));
  server.forget();
  expect((await quintet(['pull', 'hf:zoo/modules'], { env })).stdout).toMatch(
    /^zoo\/modules at [0-9a-f]{40}: 11 files, \d+ bytes\n$/,
  );
  expect(server.requests).toHaveLength(1);
});

test.each([
  [['pull', 'zoo/embedder'], /not the name of a model of the Hub/],
  [['pull'], /hf:OWNER\/NAME is missing/],
  [['pull', 'hf:zoo/nothing'], /there is no repository zoo\/nothing/],
  [['models', '--delete', 'zoo/nothing'], /there is no model 'zoo\/nothing'/],
])('%j is rejected', async (args, message) => {
  const result = await quintet(args, { env });
  expectRefusal(result, message);
  expect(result.stderr).not.toContain(server.token);
});

test('pull ends with an error where it cannot write, and the token is in no output', async () => {
  writeFileSync(cache, 'a file where a folder should be');
  const result = await quintet(['pull', 'hf:zoo/embedder'], { env });
  expectRefusal(result, /is not kept in the cache folder of the Hub/);
  expect(result.stderr).not.toContain(server.token);
});

test('Ctrl-C leaves nothing behind', async () => {
  server.plans.push({ at: 'Signature', cut: 9000, hang: true });
  const child = start(['pull', 'hf:zoo/story'], { env });
  while (!Object.keys(contentsOf(home)).some((name) => name.endsWith('.incomplete')) || server.plans.length > 0)
    await new Promise(setImmediate);
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
  expect(contentsOf(home)).toEqual({});
});

test('a download has a bar with its speed and the time left', async () => {
  // Each break makes it pause for a quarter of a second.
  for (let i = 0; i < 3; ++i) server.plans.push({ at: 'Signature', cut: 200_000 });
  const terminal = ['--import', 'data:text/javascript,process.stderr.isTTY=true'];
  const { stderr } = await quintet(['pull', 'hf:zoo/story'], { env, nodeOptions: terminal });
  expect(stderr).toMatch(/\r\x1b\[Kloading \[#*\.*\] \d+ % {2}[\d.]+ [KM]?B of [\d.]+ MB, [\d.]+ [KM]B\/s, \d+ s left/);
  expect(stderr).toMatch(/\r\x1b\[K$/);
});

describe('models', () => {
  const [first, second] = ['1'.repeat(40), '2'.repeat(40)];
  const files = { 'config.json': Buffer.from('{}'), 'model.safetensors': Buffer.alloc(1000) };
  const changed = { ...files, 'config.json': Buffer.from('{"a":1}') };
  const list = async () => (await quintetJson(['models'], { env }))[0];

  beforeEach(() => {
    makeAsPythonDoes(cache, 'zoo/a', first, files, { revision: 'v1' });
    makeAsPythonDoes(cache, 'zoo/a', second, changed);
    makeAsPythonDoes(cache, 'zoo/b', first, files, { links: false });
  });
  test('are listed with their sizes', async () => {
    expect(await list()).toEqual({
      folder: cache,
      models: [
        {
          name: 'zoo/a',
          bytes: 1009,
          revisions: [
            { commit: first, refs: ['v1'], files: 2, bytes: 1002 },
            { commit: second, refs: ['main'], files: 2, bytes: 1007 },
          ],
        },
        { name: 'zoo/b', bytes: 1002, revisions: [{ commit: first, refs: ['main'], files: 2, bytes: 1002 }] },
      ],
    });
    expect((await quintet(['models'], { env })).stdout).toBe(
      'zoo/a  1.0 KB  2 files  v1; main\nzoo/b  1.0 KB  2 files  main\n',
    );
  });

  test('one is deleted with everything that belongs to it', async () => {
    expect(await quintetJson(['models', '--delete', 'hf:zoo/a'], { env })).toEqual([
      { deleted: 'hf:zoo/a', bytes: 1009 },
    ]);
    expect(Object.keys(contentsOf(cache)).filter((path) => path.includes('zoo--a'))).toEqual([]);
    expect((await list()).models.map(({ name }) => name)).toEqual(['zoo/b']);
  });

  test('one revision is deleted, and the files of others stay', async () => {
    expect((await quintet(['models', '--delete', 'zoo/a@v1'], { env })).stdout).toBe('deleted zoo/a@v1: 2 bytes\n');
    const { models } = await list();
    expect(models[0]).toEqual({
      name: 'zoo/a',
      bytes: 1007,
      revisions: [{ commit: second, refs: ['main'], files: 2, bytes: 1007 }],
    });
    expect(contentsOf(cache)).toMatchObject(expectedContents('zoo/a', second, changed));
  });

  test('none, if there is no folder', async () => {
    const elsewhere = { ...env, HF_HOME: join(home, 'nowhere') };
    expect((await quintet(['models'], { env: elsewhere })).stdout).toBe(`no models in ${join(home, 'nowhere/hub')}\n`);
  });
});

describe('--model hf:', () => {
  beforeEach(() => {
    writeFileSync(scratch('corpus.txt'), 'quick brown fox\nlazy dog\n');
    writeFileSync(
      scratch('text.txt'),
      'Once upon a time, there was a little girl named Lily. She loved to play outside in the park.',
    );
  });

  test.each([
    ['embed', ['embed', 'quick fox'], 'hf:zoo/embedder', () => fixture(`embd/${base}`)],
    [
      'search',
      () => ['search', '--corpus', scratch('corpus.txt'), '--index', scratch(`${Math.random()}.index`), 'fox'],
      'hf:zoo/embedder',
      () => fixture(`embd/${base}`),
    ],
    [
      'embed into shards',
      () => ['embed', '--output-shards', scratch(`shards-${Math.random()}`), '--lines', 'text'],
      'hf:zoo/embedder',
      undefined,
    ],
    ['tokenize', ['tokenize', 'quick fox'], 'hf:zoo/embedder', () => fixture(`embd/${base}`)],
    ['detokenize', ['detokenize', '5'], 'hf:zoo/embedder', () => fixture(`embd/${base}`)],
    ['generate', ['generate', '--prompt', 'Once', '--temp', '0', '-n', '5', '--quiet'], 'hf:zoo/story', () => story],
    ['logits', ['logits', '--ids', '1,2'], 'hf:zoo/story', () => story],
    ['perplexity', () => ['perplexity', '--text', scratch('text.txt')], 'hf:zoo/story', () => story],
    [
      'classify',
      ['classify', fixture('images/gradient.png')],
      'hf:zoo/resnet',
      () => fixture('tinyruntime/r18-plain-vanilla.bin'),
    ],
  ])('%s prints the same as with a file', async (_, args, name, file) => {
    const command = typeof args === 'function' ? args : () => args;
    const named = await quintet([...command(), '--model', name], { env, input: 'fox\n' });
    expect(named).toMatchObject({ status: 0 });
    if (!file) return;
    expect(named.stdout).toBe((await quintet([...command(), '--model', file()], { env, input: 'fox\n' })).stdout);
  });

  test.each([
    ['inspect', 'hf:zoo/story', () => story],
    ['validate', 'hf:zoo/story', () => story],
  ])('%s', async (command, name, file) => {
    const [named] = await quintetJson([command, name], { env });
    const [own] = await quintetJson([command, file()], { env });
    expect({ ...named, file: '' }).toEqual({ ...own, file: '' });
  });

  test('convert, which is verified', async () => {
    const out = scratch('from-hub.amb');
    const { status } = await quintet(
      ['convert', 'hf:zoo/story', '--to', 'amb', '--quantize', 'f16', '--verify', '--out', out],
      { env },
    );
    expect(status).toBe(0);
    await quintet(['convert', story, '--to', 'amb', '--quantize', 'f16', '--out', scratch('from-file.amb')]);
    expect(Buffer.compare(readFileSync(out), readFileSync(scratch('from-file.amb')))).toBe(0);
  });

  test('an index is rebuilt when the model has changed', async () => {
    server.add('zoo/changing', { 'model.weights': bytesOf(base) });
    const search = () =>
      quintet(
        [
          'search',
          '--model',
          'hf:zoo/changing',
          '--corpus',
          scratch('corpus.txt'),
          '--index',
          scratch('changing.index'),
          'fox',
        ],
        { env },
      );
    await search();
    expect((await search()).stderr).not.toContain('rebuilding');
    server.add('zoo/changing', { 'model.weights': bytesOf('f16.weights') });
    expect((await search()).stderr).toContain('the index is for another model; rebuilding it');
  });
});
