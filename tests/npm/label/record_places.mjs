// Writes places.json: for random texts, a number that stands for the places of all tokens as Hugging Face's own
// tokenizers (Rust) gives them (places.mjs).
//
//   npm install --prefix /tmp/hf tokenizers@0.23.2
//   node tests/npm/label/record_places.mjs /tmp/hf

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { packed } from '../../fixtures/tokenizers/random/hashes.mjs';
import { hashOfPlaces, placeIn, textsOf, tokenizers } from './places.mjs';

const { Tokenizer } = createRequire(`${resolve(process.argv[2])}/`)('tokenizers');

const expected = {};
for (const [name, json] of Object.entries(tokenizers())) {
  const tokenizer = Tokenizer.fromString(JSON.stringify(json));
  const hashes = [];
  for (const text of textsOf(json)) {
    const encoding = await tokenizer.encode(text, null, { addSpecialTokens: false });
    const offsets = encoding.getOffsets();
    hashes.push(hashOfPlaces(encoding.getTokens().map((token, i) => ({ token, ...placeIn(text, offsets[i]) }))));
  }
  expected[name] = packed(hashes);
}
writeFileSync(new URL('places.json', import.meta.url), `${JSON.stringify(expected)}\n`);
