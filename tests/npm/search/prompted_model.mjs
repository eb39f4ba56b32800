// A small embedder with prompts for queries and passages, and texts to search for.
import { readFileSync } from 'node:fs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

export const prompts = { query: 'query: ', passage: 'passage: ' };
const folder = (name, files) =>
  Object.fromEntries(
    files.map((file) => [file, new Uint8Array(readFileSync(fixturePath(`encoders/${name}/${file}`)))]),
  );
export const json = (value) => new TextEncoder().encode(JSON.stringify(value));
const files = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'modules.json',
  '1_Pooling/config.json',
  'model.safetensors',
];
export const source = { ...folder('bert-xlmr-mean', files), 'config_sentence_transformers.json': json({ prompts }) };

export const texts = [
  'the cat sat on the mat',
  'dogs run',
  'a mat for the dog',
  'rain in Spain',
  'cats and dogs in the rain',
  'nothing',
];
export const entries = texts.map((text, i) => ({
  id: i % 2 ? i : `text ${i}`,
  text,
  payload: { length: text.length },
}));
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
