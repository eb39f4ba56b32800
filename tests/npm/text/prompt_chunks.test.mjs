// Chunks of long texts and the prompt that is put before each of them: WordPiece, Unigram and BPE over bytes.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Embedder } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const prompts = { query: 'query: ', document: 'title: none | text: ' };
const loaded = [];
afterAll(() => loaded.forEach((embedder) => embedder.close()));

/** The folder of a fixture, with prompts, of which the document's is the default. */
async function withPrompts(name, options) {
  const path = fixturePath(`encoders/${name}`);
  const names = readdirSync(path, { recursive: true }).filter((file) => /\.\w+$/.test(file));
  const files = Object.fromEntries(names.map((file) => [file, new Uint8Array(readFileSync(`${path}/${file}`))]));
  files['modules.json'] ??= new TextEncoder().encode(
    JSON.stringify([
      { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    ]),
  );
  files['1_Pooling/config.json'] ??= new TextEncoder().encode(JSON.stringify({ pooling_mode_mean_tokens: true }));
  files['config_sentence_transformers.json'] = new TextEncoder().encode(
    JSON.stringify({ prompts, default_prompt_name: 'document' }),
  );
  const embedder = await Embedder.load(files, options);
  loaded.push(embedder);
  return embedder;
}

const text = Array.from({ length: 300 }, (_, i) => `word${i % 13} and${i % 5 === 0 ? '.' : ''}`).join(' ');

describe.each([['bert-cls-folder'], ['bert-xlmr-mean'], ['modern-bert']])('%s', (name) => {
  test.each([
    ['the default prompt', {}],
    ['a prompt by its name', { promptName: 'query' }],
    ['a prompt', { prompt: 'Represent this passage for retrieval: ' }],
    ['no prompt', { prompt: '' }],
  ])('embeds chunks with %s and cuts none', async (_, prompt) => {
    const embedder = await withPrompts(name);
    for (const maxTokens of [undefined, 48]) {
      const most = maxTokens ?? embedder.maxLength;
      const chunks = await embedder.chunk(text, { ...prompt, ...(maxTokens ? { maxTokens } : {}) });
      expect(chunks.length).toBeGreaterThan(1);
      const { tokens, truncated } = await embedder.encode(
        chunks.map((chunk) => chunk.text),
        { ...prompt, maxLength: most },
      );
      expect([...truncated]).toEqual(chunks.map(() => 0));
      // Nor are they shorter than they need be.
      expect(Math.max(...tokens)).toBeGreaterThan(0.7 * most);
      const overlapping = await embedder.chunk(text, { ...prompt, maxTokens: most, overlap: 8 });
      expect(
        Math.max(
          ...(
            await embedder.encode(
              overlapping.map((chunk) => chunk.text),
              prompt,
            )
          ).tokens,
        ),
      ).toBeLessThanOrEqual(most);
      const around = await embedder.countTokens('');
      for (const [i, { start }] of overlapping.slice(1).entries()) {
        const repeated = text.slice(start, overlapping[i].end);
        expect((await embedder.countTokens(repeated)) - around).toBeLessThanOrEqual(8);
        expect(repeated).not.toBe('');
      }
    }
  });

  test("truncate: 'chunk' puts the prompt before each part, and weights parts by their length without it", async () => {
    const embedder = await withPrompts(name);
    const maxLength = 32;
    const prompt = 'query: ';
    const around = [...(await embedder.tokenize(''))];
    const [ahead, behind] = [around.slice(0, around.length / 2), around.slice(around.length / 2)];
    const within = async (part) =>
      [...(await embedder.tokenize(part))].slice(ahead.length, behind.length ? -behind.length : undefined);
    const before = await within('query:');
    const all = await within(prompt + text);
    expect(all.slice(0, before.length)).toEqual(before);
    const ids = all.slice(before.length);
    const most = maxLength - around.length - before.length;
    const sum = new Float64Array(embedder.dimension);
    for (let at = 0; at < ids.length; at += most) {
      const part = ids.slice(at, at + most);
      const vector = await embedder.embedIds([...ahead, ...before, ...part, ...behind], { normalize: true });
      vector.forEach((value, i) => (sum[i] += value * part.length));
    }
    const expected = sum.map((value) => value / Math.hypot(...sum));
    const vector = await embedder.embed(text, { prompt, truncate: 'chunk', maxLength, normalize: true });
    expect(Math.max(...vector.map((value, i) => Math.abs(value - expected[i])))).toBeLessThan(1e-5);
  });
});

test.each([
  ['in this thread', false],
  ['in a worker', true],
])('%s: a prompt that leaves no room is rejected', async (_, worker) => {
  const embedder = await withPrompts('bert-xlmr-mean', { worker });
  const prompt = 'query: '.repeat(10);
  const tokens = await embedder.countTokens(prompt);
  const refused = { code: 'INPUT', reason: 'out_of_range', message: expect.stringContaining(String(tokens)) };
  expect(await failureOf(embedder.chunk(text, { prompt, maxTokens: tokens }))).toMatchObject(refused);
  for (const truncate of ['end', 'chunk']) {
    const options = { prompt, truncate, maxLength: tokens - 1 };
    expect(await failureOf(embedder.embed(text, options))).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
  }
  expect(await failureOf(embedder.chunk(text, { promptName: 'none' }))).toMatchObject({
    code: 'INPUT',
    reason: 'unknown_value',
  });
  expect(await failureOf(embedder.chunk(text, { promptName: 'query', prompt }))).toMatchObject({
    code: 'INPUT',
    reason: 'mismatch',
  });
  expect(await failureOf(embedder.chunk(text, { prompt: 1 }))).toMatchObject({ code: 'INPUT' });
});
