// Texts that a line can hold, with the ids and the float64 vectors that come with the fixture's model.
import { readFileSync } from 'node:fs';
import { readNpy, row } from '../helpers/npy_reader.mjs';
import { fixture } from '../helpers/quintet.mjs';

export const model = fixture('embd/f32.weights');
export const dimension = 32;

const tokens = JSON.parse(readFileSync(fixture('embd/tokens.json')));
const expected = readNpy(fixture('embd/f32.embeddings.npy'));
const TOLERANCE = 5e-6;

export const oneLiners = tokens.flatMap(({ text, ids }, index) =>
  /[\n\r\u2028\u0000]/.test(text) || text === '' ? [] : [{ text, ids, vector: row(expected, index) }],
);

export function expectVector({ embedding }, vector) {
  expect(embedding).toHaveLength(vector.length);
  vector.forEach((value, i) => expect(Math.abs(embedding[i] - value)).toBeLessThan(TOLERANCE));
}

export const jsonLine = (record) => `${JSON.stringify(record)}\n`;
