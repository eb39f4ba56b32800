// Linear layers of PyTorch, from files that Python's pickle and zipfile wrote (tests/fixtures/token_vectors/bge_m3),
// whole and damaged.

import { readFileSync } from 'node:fs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { importSource } from '../helpers/source.mjs';

const { linearLayer } = await importSource('embed/checkpoints/linear_layer.ts');

const file = (name) => new Uint8Array(readFileSync(fixturePath(`token_vectors/bge_m3/${name}.pt`)));
const sparse = file('sparse_linear');
const read = (bytes) => linearLayer(bytes, 'x.pt');

/** The file with other bytes in place of some, which are in it once and as long. */
function changed(from, to) {
  const [text, parts] = [Buffer.from(sparse).toString('latin1'), [from, to].map((part) => part.padEnd(from.length))];
  expect(text.split(from)).toHaveLength(2);
  return new Uint8Array(Buffer.from(text.replace(...parts), 'latin1'));
}

/** The message of a rejection, or undefined without one; other errors are thrown. */
function codeOf(bytes) {
  try {
    read(bytes);
    return 'read';
  } catch (error) {
    if (error.code && error.message.startsWith('x.pt: ')) return error.code;
    throw error;
  }
}

test('the tensors of a layer, in float32 and float16', () => {
  const { weight, bias } = read(sparse);
  expect([weight.dtype, weight.shape, weight.bytes.length]).toEqual(['F32', [1, 64], 256]);
  expect([bias.dtype, bias.shape]).toEqual(['F32', [1]]);
  const first = (5 * 1664525 + 1013904223) % 2 ** 32;
  expect(new DataView(weight.bytes.slice().buffer).getFloat32(0, true)).toBeCloseTo(first / 2 ** 31 - 1, 6);
  const colbert = read(file('colbert_linear'));
  expect([colbert.weight.dtype, colbert.weight.shape, colbert.bias.shape]).toEqual(['F16', [64, 64], [64]]);
});

test.each([
  ['another function', 'collections\nOrderedDict', 'collections\nOrderedPart', 'UNSUPPORTED'],
  ['another type of values', 'torch\nFloatStorage', 'torch\nFloutStorage', 'UNSUPPORTED'],
  ['another name', 'weight', 'height', 'FORMAT'],
])('%s is rejected', (_, from, to, code) => {
  expect(codeOf(changed(from, to))).toBe(code);
});

test('no part of a file is read as a layer, and no byte of it breaks the reader', () => {
  const cut = new Set(Array.from(sparse, (_, end) => codeOf(sparse.slice(0, end))));
  expect([...cut]).toEqual(['FORMAT']);
  const damaged = new Set();
  for (let at = 0; at < sparse.length; ++at) {
    for (const value of [0, 0x28, 0x52, 0x62, 0x68, 0x7f, 0xff]) damaged.add(codeOf(sparse.with(at, value)));
  }
  expect([...damaged].sort()).toEqual(['FORMAT', 'UNSUPPORTED', 'read']);
});

test('other files are rejected', () => {
  for (const bytes of [new Uint8Array(), new Uint8Array(100), new TextEncoder().encode('not a checkpoint'.repeat(9))])
    expect(codeOf(bytes)).toBe('FORMAT');
});
