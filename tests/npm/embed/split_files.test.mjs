// Embedders and rerankers in several GGUF files: the same bits as from one, in every way in which a user can name them.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { convert, Embedder, inspect, Reranker, Tokenizer, validate } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { inParts, readGguf, splitFiles } from '../helpers/models/gguf_splitter.mjs';
import { listen } from '../helpers/servers/http_server.mjs';

const folder = await mkdtemp(join(tmpdir(), 'quintet-split-embedders-'));
const served = new Map();
const server = await listen(({ url }, response) => {
  const file = served.get(url);
  response.writeHead(file ? 200 : 404).end(file);
});
const loaded = [];
afterAll(async () => {
  loaded.forEach((model) => model.close());
  await server.close();
  await rm(folder, { recursive: true });
});

async function load(Model, source, options) {
  const model = await Model.load(source, options);
  loaded.push(model);
  return model;
}

const nameOf = (name, i, count) => `${name}-0000${i + 1}-of-0000${count}.gguf`;

/** The files by name, in their own folder and on the server. */
async function stored(name, files) {
  const names = files.map((_, i) => nameOf(name, i, files.length));
  const place = `${name}-in-${files.length}`;
  await mkdir(join(folder, place));
  for (const [i, file] of files.entries()) {
    await writeFile(join(folder, place, names[i]), file);
    served.set(`/${place}/${names[i]}`, file);
  }
  return { names, path: join(folder, place), url: `${server.url}${place}/` };
}

const ways = {
  'the path of the first file': ({ path, names }) => join(path, names[0]),
  'the path of the last file': ({ path, names }) => join(path, names.at(-1)),
  'the URL of the first file': ({ url, names }) => `${url}${names[0]}`,
  'a folder': ({ path }) => path,
  'a list': (_, files) => files,
  'a list of files': ({ names }, files) => files.map((file, i) => new File([file], names[i])),
  'files by name, in any order': ({ names }, files) =>
    Object.fromEntries(files.map((file, i) => [names[i], file]).reverse()),
};

const texts = ['the cat sat in the sea', '', 'a hat'];
const results = {
  encoders: [Embedder, async (model) => Buffer.from((await model.encode(texts)).vectors.buffer).toString('hex')],
  rerankers: [Reranker, async (model) => Buffer.from((await model.score('the tea', texts)).buffer).toString('hex')],
};

test.each([
  ['encoders/bert-cls', 2],
  ['encoders/gemma-embedding', 3],
  ['encoders/qwen3-embedding', 2],
  ['rerankers/xlmr', 2],
  ['rerankers/modernbert', 3],
])('%s in %d files is the model', async (name, count) => {
  const [Model, resultOf] = results[name.split('/')[0]];
  const whole = await load(Model, fixturePath(`${name}.gguf`));
  const expected = await resultOf(whole);
  const model = await readGguf(fixturePath(`${name}.gguf`));
  const files = splitFiles(model, inParts(model.tensors, count));
  const places = await stored(name.split('/')[1], files);
  const size = files.reduce((sum, { length }) => sum + length, 0);
  for (const [way, sourceOf] of Object.entries(ways)) {
    const split = await load(Model, sourceOf(places, files));
    expect([way, await resultOf(split)]).toEqual([way, expected]);
    expect(split.info).toMatchObject({ format: 'gguf', architecture: whole.info.architecture, fileSize: size });
  }
});

test('the quantized model is the same too', async () => {
  const path = fixturePath('encoders/bert-cls.gguf');
  const model = await readGguf(path);
  const [whole, split] = [
    await load(Embedder, path, { quantize: 'int8' }),
    await load(Embedder, splitFiles(model, inParts(model.tensors, 2)), { quantize: 'int8' }),
  ];
  expect(await split.embed(texts)).toEqual(await whole.embed(texts));
});

// gguf-split --no-tensor-first-split. The tables of words and of token types describe the model.
test('the first file may have no tensors', async () => {
  const path = fixturePath('encoders/bert-cls.gguf');
  const model = await readGguf(path);
  const split = await load(Embedder, splitFiles(model, [[], model.tensors.toReversed()]));
  expect(await split.embed(texts)).toEqual(await (await load(Embedder, path)).embed(texts));
});

// The second file is read while the first is in the middle of a Dense module, and has the module before it.
test('files of a server that overlap are the same model', async () => {
  const path = fixturePath('encoders/gemma-embedding.gguf');
  const model = await readGguf(path);
  const [before, last] = ['dense_2', 'dense_3'].map((wanted) =>
    model.tensors.find(({ name }) => name === `${wanted}.weight`),
  );
  const rest = model.tensors.filter((tensor) => tensor !== before && tensor !== last);
  const files = splitFiles(model, [[...rest, last], [before]]);
  const held = files[0].length - last.data.length / 2;
  let release;
  const slow = await listen(({ url }, response) => {
    if (url.includes('-00002-of-')) return response.end(files[1]);
    response.writeHead(200, { 'content-length': files[0].length });
    release = () => response.end(files[0].subarray(held));
    return response.write(files[0].subarray(0, held));
  });
  try {
    let most = 0;
    const onProgress = ({ stage, loaded }) => {
      if (stage !== 'download' || loaded < held + files[1].length || most >= held + files[1].length) return;
      most = loaded;
      release();
    };
    const split = await load(Embedder, `${slow.url}${nameOf('model', 0, 2)}`, { onProgress });
    expect(most).toBe(held + files[1].length);
    expect(await split.embed(texts)).toEqual(await (await load(Embedder, path)).embed(texts));
  } finally {
    await slow.close();
  }
});

const bert = await readGguf(fixturePath('encoders/bert-cls.gguf'));
const [head, middle, tail] = inParts(bert.tensors, 3);
const [first, second, third] = splitFiles(bert, [head, middle, tail]);
const gemma = await readGguf(fixturePath('encoders/gemma-embedding.gguf'));
const gemmaParts = inParts(gemma.tensors, 2);

test.each([
  [
    'without the last file',
    [first, second],
    { code: 'INPUT', reason: 'missing' },
    'file 3 of 3 of a split GGUF model is missing',
  ],
  [
    'without a file between',
    [first, third],
    { code: 'INPUT', reason: 'mismatch' },
    'expected file 2 of 3 of a split GGUF model, found file 3 of 3',
  ],
  [
    'in another order',
    [second, first, third],
    { code: 'INPUT', reason: 'mismatch' },
    'expected file 1 of 3 of a split GGUF model, found file 2 of 3',
  ],
  [
    'with a file twice',
    [first, first, second],
    { code: 'INPUT', reason: 'mismatch' },
    'expected file 2 of 3 of a split GGUF model, found file 1 of 3',
  ],
  [
    'with one of a model in two',
    [first, splitFiles(bert, inParts(bert.tensors, 2))[1]],
    { code: 'INPUT', reason: 'mismatch' },
    'expected file 2 of 3',
  ],
  [
    'with a tensor twice',
    splitFiles(bert, [head, [...middle, head[0]], tail]),
    { code: 'INPUT', reason: 'duplicate' },
    'tensor "token_embd.weight" is in two files',
  ],
  [
    'with too few tensors',
    splitFiles(bert, [head, middle, tail], { tensors: 40 }),
    { code: 'FORMAT', format: 'gguf', reason: 'mismatch' },
    'contain 37 tensors, but split.tensors.count is 40',
  ],
  [
    'without a tensor',
    splitFiles(bert, [head, middle.slice(1), tail]),
    { code: 'FORMAT', format: 'gguf', reason: 'missing', tensor: middle[0].name },
    '',
  ],
  [
    'with a file of another model',
    splitFiles(gemma, gemmaParts).with(0, splitFiles(bert, inParts(bert.tensors, 2))[0]),
    { code: 'FORMAT', format: 'gguf' },
    '',
  ],
  [
    'with a file of another format',
    [first, fixturePath('embd/f32.weights')],
    { code: 'INPUT', reason: 'mismatch' },
    'a file of format weights among those of a gguf model',
  ],
  [
    'behind a whole model',
    [fixturePath('encoders/bert-cls.gguf'), second],
    { code: 'INPUT', reason: 'mismatch' },
    'there are several models',
  ],
  [
    'with a file too many',
    [first, second, third, third],
    { code: 'INPUT', reason: 'mismatch' },
    'expected file 4 of 3',
  ],
])('a model %s is rejected', async (_what, files, problem, message) => {
  const error = await failureOf(Embedder.load(files));
  expect(error).toMatchObject(problem);
  expect(error.message).toContain(message);
});

test('a missing part of a split file is IO, and a file that a folder lacks is INPUT', async () => {
  const place = join(folder, 'incomplete');
  const path = join(place, nameOf('bert', 0, 3));
  await mkdir(place);
  await writeFile(path, first);
  expect(await failureOf(Embedder.load(path))).toMatchObject({ code: 'IO', reason: 'not_found' });
  const error = await failureOf(Embedder.load(place));
  expect(error).toMatchObject({ code: 'INPUT', reason: 'missing' });
  expect(error.message).toContain('file 2 of 3 of a split GGUF model is missing');
});

test('rerankers and embedders are distinguished by the first file', async () => {
  const ranks = await readGguf(fixturePath('rerankers/xlmr.gguf'));
  const parts = splitFiles(ranks, inParts(ranks.tensors, 2));
  expect((await failureOf(Embedder.load(parts))).message).toContain('Reranker');
  expect(await failureOf(Reranker.load([first, second, third]))).toMatchObject({ code: 'UNSUPPORTED' });
});

test('convert takes all files, and the others take one of them', async () => {
  const weights = async (source) =>
    new Uint8Array(await new Response(convert(source, { to: 'weights' })).arrayBuffer());
  expect(await weights([first, second, third])).toEqual(await weights(fixturePath('encoders/bert-cls.gguf')));
  for (const [i, file] of [first, second, third].entries()) {
    const expected = { format: 'gguf', ...(i === 0 && { architecture: 'bert' }) };
    expect(await inspect(file)).toMatchObject(expected);
    expect(await validate(file)).toMatchObject({ ...expected, warnings: [] });
  }
  const [split, whole] = [
    await Tokenizer.load([first, second, third]),
    await Tokenizer.load(fixturePath('encoders/bert-cls.gguf')),
  ];
  expect(split.encode('the cat')).toEqual(whole.encode('the cat'));
  for (const each of [split, whole]) each.close();
});
