// Writes tokens.json: the tokens of the texts of entities.test.mjs with their places, as Hugging Face's own tokenizers
// (Rust) gives them, in UTF-16 code units and without white space at the ends.
//
//   npm install --prefix /tmp/hf tokenizers@0.23.2
//   node tests/npm/label/record_tokens.mjs /tmp/hf

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { placeIn } from './places.mjs';

const { Tokenizer } = createRequire(`${resolve(process.argv[2])}/`)('tokenizers');
const source = readFileSync(new URL('entities.test.mjs', import.meta.url), 'utf8');
const texts = JSON.parse(
  /const texts = (\[[^]*?\]);/
    .exec(source)[1]
    .replaceAll(/\\u\{(\w+)\}/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)))
    .replaceAll("'", '"')
    .replace(/,\s*\]/, ']'),
);

const recorded = {};
for (const folder of ['bert', 'xlmr', 'deberta']) {
  const path = new URL(`../../fixtures/rerankers/${folder}/tokenizer.json`, import.meta.url);
  const tokenizer = Tokenizer.fromString(readFileSync(path, 'utf8'));
  const frame = (await tokenizer.encode('a')).getIds();
  recorded[folder] = { frame: [frame[0], frame.at(-1)], texts: {} };
  for (const text of texts) {
    const encoding = await tokenizer.encode(text, null, { addSpecialTokens: false });
    const [names, offsets] = [encoding.getTokens(), encoding.getOffsets()];
    const tokens = names.map((token, i) => ({ token, ...placeIn(text, offsets[i]) }));
    recorded[folder].texts[text] = { ids: encoding.getIds(), tokens };
  }
}
writeFileSync(new URL('tokens.json', import.meta.url), `${JSON.stringify(recorded)}\n`);
