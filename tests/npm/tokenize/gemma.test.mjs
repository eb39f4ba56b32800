// Gemma's texts have no space in front, with its vocabulary in any kind of file.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { convert, Tokenizer } from 'quintet';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const gguf = fixturePath('families/gemma3.gguf');
const texts = ['once', ' once', 'a time', 'once upon a time', ''];
let tokenizers;
beforeAll(async () => {
  const amb = new Uint8Array(await new Response(convert(gguf, { to: 'amb' })).arrayBuffer());
  tokenizers = [await Tokenizer.load(gguf), await Tokenizer.load(amb)];
});
afterAll(() => tokenizers.forEach((tokenizer) => tokenizer.close()));

test('the ids of AMB are those of GGUF', () => {
  const [ofGguf, ofAmb] = tokenizers.map((tokenizer) => texts.map((text) => Array.from(tokenizer.encode(text))));
  expect(ofAmb).toEqual(ofGguf);
});

test('a space in front of a text is a piece of it', () => {
  for (const tokenizer of tokenizers) {
    const [without, withSpace] = texts.map((text) => Array.from(tokenizer.encode(text, { addSpecial: false })));
    expect(without).not.toEqual(withSpace);
    expect(tokenizer.decode(without)).toBe('once');
    expect(tokenizer.decode(withSpace)).toBe(' once');
  }
});
