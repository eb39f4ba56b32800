// The models of tests/fixtures/embd with what an independent implementation computed from them in float64.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { distance } from './expectations.mjs';

const folder = new URL('../../fixtures/embd/', import.meta.url);

export const pathOf = (file) => fileURLToPath(new URL(file, folder));
/** A fresh copy. */
export const bytesOf = (file) => new Uint8Array(readFileSync(pathOf(file)));
const json = (file) => JSON.parse(readFileSync(pathOf(file), 'utf8'));

/** The rows of a float32 .npy file. */
export function rowsOf(file) {
  const bytes = bytesOf(file);
  const headerBytes = new DataView(bytes.buffer).getUint16(8, true);
  const header = new TextDecoder().decode(bytes.subarray(10, 10 + headerBytes));
  const [rows, columns] = /'shape': \((\d+), (\d+)\)/.exec(header).slice(1).map(Number);
  const values = new Float32Array(bytes.slice(10 + headerBytes).buffer);
  return Array.from({ length: rows }, (_, i) => values.subarray(i * columns, (i + 1) * columns));
}

export const cases = json('expected.json');
export const caseOf = (id) => cases.find((candidate) => candidate.id === id);

/** Texts with `ids` (or `token_count`) and `truncated`, the ids at the model's own limit. */
export const tokens = json('tokens.json');
export const texts = tokens.map(({ text }) => text);

export const base = 'f32.weights';
export const baseRows = rowsOf('f32.embeddings.npy');
export const tolerance = caseOf('embd-f32').expect.tolerance.abs;

export function expectRows(actual, expected, allowed = tolerance) {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((row, i) => expect(distance(row, expected[i])).toBeLessThanOrEqual(allowed));
}
