// The files of all formats in tests/fixtures, with their generator's descriptions.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../fixtures/', import.meta.url);
const folders = { weights: 'embd', safetensors: 'safetensors', amb: 'amb', alt: 'alt', tinyruntime: 'tinyruntime' };

export const fixturePath = (name) => fileURLToPath(new URL(name, root));
export const fixtureFile = (name) => new Uint8Array(readFileSync(fixturePath(name)));

/** { format, id, path, expect } */
export const modelCases = Object.entries(folders).flatMap(([format, folder]) =>
  JSON.parse(readFileSync(fixturePath(`${folder}/expected.json`), 'utf8')).map(({ id, file, expect }) => ({
    format,
    id,
    path: `${folder}/${file}`,
    expect,
  })),
);

/** The values of one tensor as the generator computed them, from `expect.dequantized`. */
export function* dequantizedTensors({ path, expect: { dequantized } }) {
  const folder = path.slice(0, path.indexOf('/') + 1);
  const file = fixtureFile(folder + dequantized.file.slice(dequantized.file.lastIndexOf('/') + 1));
  const values = new Float32Array(file.buffer);
  let end = 0;
  for (const { name, count, start = end } of dequantized.tensors) {
    end = start + count;
    yield { name, values: values.subarray(start, end) };
  }
}
