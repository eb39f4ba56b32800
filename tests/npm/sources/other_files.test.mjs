// A file of a folder that is something else: a clone without Git LFS, a page of a network that wants a password, an
// archive. The message states what it looks like, and which file it is.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { convert, Embedder, inspect, Reranker, TextGenerator, Tokenizer, validate } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { inParts, readGguf, splitFiles } from '../helpers/models/gguf_splitter.mjs';
import { llamaFolder, shards } from '../helpers/models/llama_folder.mjs';
import { expectRefusal as expectRefusedCommand, quintet } from '../helpers/quintet.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';

const bytes = (text) => new Uint8Array(Buffer.from(text, 'latin1'));
// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
const pointer = bytes(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 26000000\n`);
const kinds = [
  ['a Git LFS pointer', pointer, /Git LFS pointer/],
  ['a web page', bytes(`<!doctype html><html><body>Sign in</body></html>${' '.repeat(400)}`), /web page or XML/],
  [
    'an error of a store, in XML',
    bytes('<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>'),
    /web page or XML/,
  ],
  ['gzip data', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), /gzip data/],
  ['a zip archive', bytes('PK\x03\x04\0\0\x08\x08\0\0archive/data.pkl'), /zip archive/],
  ['nothing', new Uint8Array(0), /it is empty/],
];

const filesIn = (folder) =>
  Object.fromEntries(
    readdirSync(fixturePath(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .map((path) => [
        path.slice(fixturePath(folder).length + 1).replaceAll(sep, '/'),
        new Uint8Array(readFileSync(path)),
      ]),
  );

const collected = async (pieces) => {
  for await (const _ of pieces);
};
const embedder = filesIn('encoders/bert-xlmr-mean');
const bert = filesIn('encoders/bert-cls-folder');
const reranker = filesIn('rerankers/bert');
const tokenizer = Object.fromEntries(
  ['config.json', 'tokenizer.json', 'tokenizer_config.json'].map((name) => [name, embedder[name]]),
);
let generator;
const scratch = mkdtempSync(join(tmpdir(), 'quintet-other-files-'));
beforeAll(async () => {
  generator = await llamaFolder();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** A folder with one file replaced, by the names of its files. */
const having = (files, name, content) => {
  expect(Object.keys(files)).toContain(name);
  return { ...files, [name]: content };
};
const badMagic = { name: 'QuintetError', code: 'FORMAT', reason: 'bad_magic' };

async function expectRefusal(loading, name, message) {
  const error = await failureOf(loading);
  expect(error).toMatchObject(badMagic);
  expect(error.message).toContain(name);
  expect(error.message).toMatch(message);
  expect(error.message.split(name)).toHaveLength(2);
}

describe.each(kinds)('%s', (_, content, message) => {
  test.each(Object.keys(embedder))('%s of an embedder', (name) =>
    expectRefusal(Embedder.load(having(embedder, name, content)), name, message),
  );
  test.each([
    ['in this thread', false],
    ['in a worker', true],
  ])('%s: the weights of a reranker and a generator', async (__, worker) => {
    await expectRefusal(
      Reranker.load(having(reranker, 'model.safetensors', content), { worker }),
      'model.safetensors',
      message,
    );
    await expectRefusal(TextGenerator.load(having(generator, shards[1], content), { worker }), shards[1], message);
  });
  test('files of a generator', async () => {
    for (const name of ['config.json', 'model.safetensors.index.json', shards[0]]) {
      await expectRefusal(TextGenerator.load(having(generator, name, content)), name, message);
    }
  });
  test('files of a tokenizer', async () => {
    for (const name of Object.keys(tokenizer)) {
      await expectRefusal(Tokenizer.load(having(tokenizer, name, content)), name, message);
    }
  });
  test('files of a conversion', async () => {
    for (const name of ['config.json', 'tokenizer.json', 'model.safetensors']) {
      await expectRefusal(collected(convert(having(embedder, name, content), { to: 'weights' })), name, message);
    }
    await expectRefusal(collected(convert(having(generator, shards[1], content), { to: 'amb' })), shards[1], message);
  });
  test('a single file', async () => {
    for (const loading of [
      inspect(content),
      validate(content),
      Embedder.load(content),
      Embedder.load(content, { format: 'gguf' }),
    ]) {
      const error = await failureOf(loading);
      expect(error).toMatchObject(badMagic);
      expect(error.message).toMatch(message);
    }
  });
});

test('vocabularies and templates', async () => {
  await expectRefusal(Embedder.load(having(bert, 'vocab.txt', pointer)), 'vocab.txt', /Git LFS pointer/);
  await expectRefusal(Tokenizer.load({ 'tokenizer.model': pointer }), 'tokenizer.model', /Git LFS pointer/);
  await expectRefusal(
    Tokenizer.load({ ...tokenizer, 'chat_template.jinja': pointer }),
    'chat_template.jinja',
    /Git LFS pointer/,
  );
  const name = 'additional_chat_templates/tool_use.jinja';
  await expectRefusal(Tokenizer.load({ ...tokenizer, [name]: pointer }), name, /Git LFS pointer/);
  // Files that are not needed may be anything.
  (await Embedder.load({ ...embedder, 'merges.txt': pointer })).close();
});

test('a part of a split GGUF model, by its name and by its number', async () => {
  const model = await readGguf(fixturePath('encoders/bert-cls.gguf'));
  const parts = splitFiles(model, inParts(model.tensors, 3));
  parts[1] = pointer;
  await expectRefusal(Embedder.load(parts), 'file 2 of 3', /Git LFS pointer/);
});

test('a folder in Node and the command line', async () => {
  cpSync(fixturePath('encoders/bert-xlmr-mean'), scratch, { recursive: true });
  writeFileSync(join(scratch, 'model.safetensors'), pointer);
  await expectRefusal(Embedder.load(scratch), 'model.safetensors', /Git LFS pointer/);
  expectRefusedCommand(await quintet(['embed', '-m', scratch, 'a text']), /model\.safetensors: .*Git LFS pointer/);
  writeFileSync(join(scratch, 'model.safetensors.index.json'), pointer);
  await expectRefusal(Embedder.load(scratch), 'model.safetensors.index.json', /Git LFS pointer/);
});

test('a repository of the Hub', async () => {
  const server = await serveHub();
  process.env.HF_HOME = join(scratch, 'home');
  try {
    server.add('zoo/pointers', having(embedder, 'model.safetensors', Buffer.from(pointer)));
    const loading = Embedder.load('hf:zoo/pointers', { hub: { endpoint: server.endpoint } });
    await expectRefusal(loading, 'model.safetensors', /Git LFS pointer/);
  } finally {
    delete process.env.HF_HOME;
    await server.close();
  }
});
