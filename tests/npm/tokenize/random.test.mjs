// Random texts of all of Unicode: their ids in tokenizers of every kind are those of Hugging Face's own library
// (tests/fixtures/tokenizers/random).
import { readFileSync } from 'node:fs';
import { Tokenizer } from 'quintet';
import { hashOf, recorded, textsFor, unpacked } from '../../fixtures/tokenizers/random/hashes.mjs';
import { fixtures } from '../../fixtures/tokenizers/random/tokenizers.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const expected = JSON.parse(readFileSync(fixturePath('tokenizers/random/expected.json'), 'utf8'));

test('all tokenizers are recorded', () => expect(Object.keys(expected)).toEqual(recorded));

test.each(recorded)('%s', async (name) => {
  const json = fixtures[name]();
  const texts = textsFor(json);
  const hashes = unpacked(expected[name]);
  expect(hashes).toHaveLength(texts.length);
  const tokenizer = await Tokenizer.load(new Blob([JSON.stringify(json)]));
  const differ = texts.filter(
    (text, i) => hashOf(tokenizer.encode(text, { addSpecial: false, parseSpecial: true })) !== hashes[i],
  );
  tokenizer.close();
  expect(differ).toEqual([]);
});
