// The places of tokens compared with Hugging Face's own tokenizers, on random texts with emoji, marks, CJK and white
// space of all kinds.

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { TokenClassifier, Tokenizer } from 'quintet';
import { unpacked } from '../../fixtures/tokenizers/random/hashes.mjs';
import { placesFolder } from './label_folders.mjs';
import { hashOfPlaces, textsOf, tokenizers } from './places.mjs';

const expected = JSON.parse(readFileSync(new URL('places.json', import.meta.url), 'utf8'));

/**
 * The share of texts that may differ: where an invisible character at the end of a token has become white space or
 * nothing, the library counts it to the token or not.
 */
const differing = { 'unigram-words': 0.05, 'unigram-spaces': 0.07, deberta: 0.07, 'n-nfd': 0.04 };

function sizeOf({ model: { vocab }, added_tokens: added = [] }) {
  const ids = Array.isArray(vocab) ? [vocab.length - 1] : Object.values(vocab);
  return 1 + [...ids, ...added.map(({ id }) => id)].reduce((a, b) => Math.max(a, b));
}

test.each(Object.entries(tokenizers()))('%s', async (name, json) => {
  const files = placesFolder(json, sizeOf(json));
  const [classifier, tokenizer] = [await TokenClassifier.load(files), await Tokenizer.load(files['tokenizer.json'])];
  const different = [];
  const hashes = unpacked(expected[name]);
  for (const [i, text] of textsOf(json).entries()) {
    const ids = tokenizer.encode(text, { addSpecial: false, parseSpecial: true });
    const places = await classifier.classify(text, { aggregation: 'none', maxLength: 4096 });
    expect(places).toHaveLength(ids.length);
    const tokens = places.map((place, t) => ({ ...place, token: tokenizer.token(ids[t]) }));
    if (hashOfPlaces(tokens) !== hashes[i]) different.push(text);
  }
  expect(different.length).toBeLessThanOrEqual((differing[name] ?? 0) * hashes.length);
  classifier.close();
  tokenizer.close();
});
