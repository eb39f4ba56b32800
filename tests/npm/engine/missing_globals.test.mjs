// Where a global is missing, every class works or names the one it needs. Jest's jsdom, for example, has no
// TextEncoder.
import { fileURLToPath } from 'node:url';
import { run } from '../helpers/program.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** One use of each class and function, as a program. */
const uses = {
  search: `
    const index = new SearchIndex({ dimension: 1 });
    index.add({ id: 'a', vector: Float32Array.of(1), text: 'cat' });
    await index.search('cat');`,
  save: `await SearchIndex.load(await new SearchIndex({ dimension: 1 }).save());`,
  merge: `await drain(await SearchIndex.merge([saved]));`,
  embed: `await using(Embedder.load('models/embedder-int8.weights', { threads: 1 }), (model) => model.embed('a'));`,
  url: `await using(Embedder.load(server + 'models/embedder-int8.weights', { threads: 1 }), (model) => model.embed('a'));`,
  hub: `await Embedder.load('hf:owner/name', { hub: { endpoint: server } }).catch((error) => {
      // The server has no such repository.
      if (error.code !== 'IO') throw error;
    });`,
  rerank: `await using(Reranker.load('tests/fixtures/rerankers/bert', { threads: 1 }), (model) => model.score('a', 'b'));`,
  generate: `await using(TextGenerator.load('models/stories260k.amb', { threads: 1 }), (model) => drain(model.generate('a', { maxTokens: 2 })));`,
  chat: `await using(TextGenerator.load('models/stories260k.amb', { threads: 1 }), async (model) => {
      await drain(model.generate([{ role: 'user', content: 'a' }], { maxTokens: 2 })).catch((error) => {
        if (!error.message.includes('chat template')) throw error;
      });
    });`,
  classify: `await using(ImageClassifier.load('tests/fixtures/cifar10/resnet20-cifar10.bin', { threads: 1 }), (model) => model.classify(pixels));`,
  embedImage: `await using(ImageEmbedder.load('tests/fixtures/vision/dinov2-hf', { threads: 1 }), (model) => model.embedImage(pixels));`,
  tokenize: `await using(Tokenizer.load('tests/fixtures/tokenizers/minilm/vocab.txt'), (model) => model.encode('a'));`,
  inspect: `await inspect('models/stories260k.amb');`,
  'inspect by URL': `await inspect(server + 'models/stories260k.amb');`,
  convert: `await drain(convert('models/stories260k.amb', { to: 'amb', quantize: 'int8' }));`,
  grammar: `await compileGrammar({ gbnf: 'root ::= "a"' });`,
  'read and write tensors': `await readSafetensors(await writeSafetensors({ a: tensor }));`,
  'open tensors': `await (await openSafetensors(saved)).close();`,
  'stream tensors': `await drain(safetensorsStream({ a: tensor }));`,
};

/** Runs all uses after some code, and gives what each came to. */
const outcomes = (before, names = Object.keys(uses)) =>
  run(`
    import { createServer } from 'node:http';
    import { readFile } from 'node:fs/promises';
    import { SearchIndex, Embedder, Reranker, TextGenerator, ImageClassifier, ImageEmbedder, Tokenizer, inspect, convert, compileGrammar } from 'quintet';
    import { readSafetensors, writeSafetensors, openSafetensors, safetensorsStream } from 'quintet/safetensors';
    const files = createServer(async ({ url }, response) => {
      const bytes = await readFile(${JSON.stringify(root)} + url.slice(1)).catch(() => undefined);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    });
    await new Promise((resolve) => files.listen(0, 'localhost', resolve));
    const server = 'http://localhost:' + files.address().port + '/';
    const saved = await new SearchIndex({ dimension: 1 }).save();
    const pixels = { data: new Uint8Array(32 * 32 * 4), width: 32, height: 32, channels: 4 };
    const tensor = { dtype: 'F32', shape: [1], data: Float32Array.of(1) };
    const drain = async (stream) => { for await (const _ of stream); };
    const using = async (loading, use) => { const model = await loading; try { await use(model); } finally { model.close(); } };
    const note = ({ name, code, reason, message }) => ({ name, code, reason, message });
    const outcomes = {};
    const exit = process.exit.bind(process);
    ${before}
    ${names.map((name) => `outcomes['${name}'] = await (async () => { ${uses[name]} })().then(() => 'works', note);`).join('\n')}
    console.log(JSON.stringify(outcomes));
    exit(0);`);

const all = Object.keys(uses);

test('everything works in Node', async () => {
  expect(await outcomes('')).toEqual(Object.fromEntries(all.map((name) => [name, 'works'])));
});

test.each([
  ['TextEncoder', all],
  ['TextDecoder', all],
  ['fetch', ['url', 'hub', 'inspect by URL']],
  ['Headers', ['hub', 'inspect by URL']],
  ['ReadableStream', ['merge', 'url', 'hub', 'inspect by URL', 'convert', 'stream tensors']],
  ['AbortController', ['rerank', 'generate', 'chat', 'embedImage', 'convert']],
  ['structuredClone', ['chat']],
])('without %s, features that need it say so', async (name, needing) => {
  // Deleted before the first use. Node's own fetch needs AbortController, too.
  const found = await outcomes(`delete globalThis.${name};`);
  const refusal = {
    name: 'QuintetError',
    code: 'UNSUPPORTED',
    reason: 'unsupported',
    message: expect.stringContaining(`no ${name}`),
  };
  for (const [use, outcome] of Object.entries(found)) {
    const expected = needing.includes(use) || outcome !== 'works' ? refusal : 'works';
    expect([use, outcome]).toEqual([use, expected]);
  }
});

// A search index has other kernels then (search_index.test.mjs). Node's fetch ends the process.
test('without WebAssembly every engine reports it', async () => {
  const engines = [
    'embed',
    'rerank',
    'generate',
    'classify',
    'embedImage',
    'tokenize',
    'inspect',
    'convert',
    'grammar',
  ];
  const found = await outcomes('delete globalThis.WebAssembly;', engines);
  for (const outcome of Object.values(found))
    expect(outcome).toMatchObject({ code: 'UNSUPPORTED', message: /no WebAssembly/ });
  expect(Object.keys(found)).toEqual(engines);
  expect(
    await run(`
    delete globalThis.WebAssembly;
    const { capabilities } = await import('quintet');
    const { simd, relaxedSimd, threads, memory64 } = capabilities();
    console.log(JSON.stringify([simd, relaxedSimd, threads, memory64]));`),
  ).toEqual([false, false, false, false]);
});

test('undefined counts as missing, too', async () => {
  const found = await outcomes('globalThis.TextEncoder = undefined;', ['search', 'embed']);
  for (const outcome of Object.values(found))
    expect(outcome).toMatchObject({ code: 'UNSUPPORTED', message: /no TextEncoder/ });
});

test('unused globals may be missing', async () => {
  const names = [
    'fetch',
    'Headers',
    'Response',
    'Request',
    'ReadableStream',
    'MessageChannel',
    'setImmediate',
    'structuredClone',
  ];
  const local = [
    'search',
    'save',
    'embed',
    'rerank',
    'generate',
    'classify',
    'tokenize',
    'inspect',
    'grammar',
    'open tensors',
  ];
  const found = await outcomes(names.map((name) => `delete globalThis.${name};`).join(' '), local);
  expect(found).toEqual(Object.fromEntries(local.map((name) => [name, 'works'])));
});

test('errors at the start of a part are not blamed on the network', async () => {
  const replaced = (value) => outcomes(`globalThis.FinalizationRegistry = ${value};`, ['embed', 'grammar']);
  const refusal = (message) => ({ name: 'QuintetError', code: 'UNSUPPORTED', reason: 'unsupported', message });
  for (const outcome of Object.values(await replaced(`class { constructor() { throw new RangeError('too old'); } }`))) {
    expect(outcome).toEqual(refusal('a part of the package does not run here: too old'));
  }
  for (const outcome of Object.values(await replaced('undefined'))) {
    expect(outcome).toEqual(refusal(expect.stringContaining('FinalizationRegistry')));
  }
});
