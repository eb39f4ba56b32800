// Compares the ids of the package's tokenizers with those of Hugging Face's own (the npm package `tokenizers`, in Rust)
// on random texts, and prints the first differences:
//
//   node bench/tokenizers.mjs [--count 100000] [--seed 1] FILE|NAME…
//
// A FILE is a tokenizer.json; a NAME is a vocabulary of tests/fixtures/tokenizers/byte_level, without one all of them.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { Tokenizer } from '../dist/node.js';
import { tokenizerJson, tokenizerNames } from '../tests/fixtures/tokenizers/byte_level/vocabularies.mjs';
import { randomText } from '../tests/npm/tokenize/random_text.mjs';

const { Tokenizer: Reference } = createRequire(import.meta.url)('tokenizers');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const maxShown = 5;

const texts = fc.sample(randomText, { numRuns: Number(values.count), seed: Number(values.seed) });
let differences = 0;
for (const name of positionals.length > 0 ? positionals : tokenizerNames) {
  const json = name.endsWith('.json') ? JSON.parse(readFileSync(name, 'utf8')) : tokenizerJson(name);
  differences += await compare(name, JSON.stringify({ ...json, padding: null, truncation: null }));
}
process.exitCode = differences === 0 ? 0 : 1;

async function compare(name, json) {
  const reference = Reference.fromString(json);
  const tokenizer = await Tokenizer.load({ 'tokenizer.json': new TextEncoder().encode(json) });
  const different = [];
  for (const text of texts) {
    const wanted = (await reference.encode(text, null, { addSpecialTokens: false })).getIds();
    const found = [...tokenizer.encode(text, { addSpecial: false })];
    if (found.length !== wanted.length || found.some((id, i) => id !== wanted[i]))
      different.push({ text, wanted, found });
  }
  tokenizer.close();
  console.log(`${name}: ${different.length} of ${texts.length} texts differ`);
  for (const each of different.sort((a, b) => a.text.length - b.text.length).slice(0, maxShown)) console.log(each);
  return different.length;
}
