// A model in two GGUF files, in every way in which a user can name them (tests/fixtures/families/README.md).

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { convert, TextGenerator, Tokenizer, validate } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';
import { listen } from '../helpers/servers/http_server.mjs';

const expected = JSON.parse(Buffer.from(fixtureFile('families/split/expected.json')).toString());
const folder = fixturePath('families/split');
const names = ['llama-split-00001-of-00002.gguf', 'llama-split-00002-of-00002.gguf'];
const [first, second] = names.map((name) => fixtureFile(`families/split/${name}`));
const server = await listen(({ url }, response) => {
  const name = names.find((each) => url === `/models/${each}?download=true`);
  response.writeHead(name ? 200 : 404).end(name && fixtureFile(`families/split/${name}`));
});
const other = await mkdtemp(join(tmpdir(), 'quintet-split-'));
afterAll(async () => {
  await server.close();
  await rm(other, { recursive: true });
});

const logProbabilities = (logits) => {
  const largest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return Array.from(logits, (logit) => logit - largest - Math.log(sum));
};

const asAmb = async (source) => new Uint8Array(await new Response(convert(source, { to: 'amb' })).arrayBuffer());

const sources = [
  ['the path of the first file', () => join(folder, names[0])],
  ['the path of the second file', () => join(folder, names[1])],
  ['the URL of the first file', () => `${server.url}models/${names[0]}?download=true`],
  ['a folder', () => folder],
  ['a list', () => [first, second]],
  ['a list of files', () => names.map((name, i) => new File([i === 0 ? first : second], name))],
  ['files by name, in any order', () => ({ [names[1]]: second, [names[0]]: first })],
  ['the AMB made of a path', () => asAmb(join(folder, names[0]))],
  ['the AMB made of a list', () => asAmb([first, second])],
];

test.each(sources)('from %s', async (_, source) => {
  const generator = await TextGenerator.load(await source());
  for (const [i, position] of expected.positions.entries()) {
    const actual = logProbabilities(await generator.logits(expected.ids.slice(0, position)));
    const error = Math.max(...actual.map((value, token) => Math.abs(value - expected.logprobs[i][token])));
    expect(error).toBeLessThanOrEqual(expected.tolerance);
  }
  generator.close();
});

test('the tokenizer is in the first file', async () => {
  const ids = [];
  for (const source of [folder, [first, second], join(folder, names[0]), { [names[0]]: first, [names[1]]: second }]) {
    const tokenizer = await Tokenizer.load(source);
    ids.push(Array.from(tokenizer.encode('Once upon a time')));
    tokenizer.close();
  }
  expect(ids[0].length).toBeGreaterThan(3);
  expect(new Set(ids.map(String)).size).toBe(1);
});

test('each file is valid by itself', async () => {
  expect(await validate(first)).toMatchObject({ architecture: 'llama', warnings: [] });
  expect(await validate(second)).toMatchObject({ format: 'gguf', warnings: [] });
});

test('a missing file is named', async () => {
  await copyFile(join(folder, names[0]), join(other, names[0]));
  expect(await failureOf(TextGenerator.load(join(other, names[0])))).toMatchObject({ code: 'IO', reason: 'not_found' });
  for (const load of [() => TextGenerator.load([first]), () => TextGenerator.load(other), () => asAmb([first])]) {
    const error = await failureOf(load());
    expect(error).toMatchObject({ code: 'INPUT', reason: 'missing' });
    expect(error.message).toContain('file 2 of 2 of a split GGUF model is missing');
  }
  const error = await failureOf(TextGenerator.load([second, first]));
  expect(error).toMatchObject({ code: 'INPUT', reason: 'mismatch' });
  expect(error.message).toContain('expected file 1 of 2 of a split GGUF model, found file 2 of 2');
});

test('a folder with several models is rejected', async () => {
  await copyFile(join(folder, names[0]), join(other, 'another.gguf'));
  const error = await failureOf(TextGenerator.load(other));
  expect(error).toMatchObject({ code: 'INPUT', reason: 'mismatch' });
  expect(error.message).toContain('several GGUF models');
});

test('an empty list is rejected', async () => {
  expect(await failureOf(TextGenerator.load([]))).toMatchObject({ code: 'INPUT', reason: 'missing' });
});
