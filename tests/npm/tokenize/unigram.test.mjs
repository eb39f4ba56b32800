// Unigram tokenizers compared with Hugging Face's own (tests/fixtures/tokenizers/unigram/make_reference.mjs).
import { expect, test } from '@jest/globals';
import { Tokenizer } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';

const json = (name) => JSON.parse(Buffer.from(fixtureFile(`tokenizers/unigram/${name}.json`)).toString());
const tokenizer = json('tokenizer');
const pipelines = json('pipelines');
const load = (changed) => Tokenizer.load(new TextEncoder().encode(JSON.stringify({ ...tokenizer, ...changed })));

test.each(Object.entries(json('expected')))('the ids of %s', async (pipeline, cases) => {
  const loaded = await load(pipelines[pipeline]);
  for (const { text, ids } of cases) {
    expect([text, ...loaded.encode(text, { addSpecial: false, parseSpecial: true })]).toEqual([text, ...ids]);
  }
  loaded.close();
});

test('special tokens surround a text', async () => {
  const loaded = await load({});
  const [plain] = [Array.from(loaded.encode('Hello world', { addSpecial: false }))];
  expect(Array.from(loaded.encode('Hello world'))).toEqual([0, ...plain, 2]);
  expect(loaded.decode(plain)).toBe('Hello world');
  loaded.close();
});

const wrongMap = { type: 'Precompiled', precompiled_charsmap: 'no base64!' };
test.each([
  ['another normalizer', { normalizer: { type: 'BertNormalizer' } }, 'UNSUPPORTED', 'BertNormalizer'],
  ['another pre-tokenizer', { pre_tokenizer: { type: 'Whitespace' } }, 'UNSUPPORTED', 'Whitespace'],
  ['a map that is not base64', { normalizer: wrongMap }, 'FORMAT', 'base64'],
  ['no pieces', { model: { type: 'Unigram' } }, 'FORMAT', 'no vocab'],
  ['a piece without a score', { model: { type: 'Unigram', vocab: [['a']] } }, 'FORMAT', 'piece 0'],
  ['an unknown token beyond them', { model: { type: 'Unigram', unk_id: 9, vocab: [['a', 0]] } }, 'FORMAT', 'unk_id'],
])('%s is rejected', async (_, changed, code, text) => {
  const error = await failureOf(load(changed));
  expect(error).toMatchObject({ code });
  expect(error.message).toContain(text);
});
