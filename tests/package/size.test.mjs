// What a page downloads, and what npm does, has limits.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { pack, root } from './packed.mjs';

const kilobyte = 1000;
const brotliBytes = (name) => brotliCompressSync(readFileSync(`${root}dist/${name}`)).length;

test.each(['baseline', 'relaxed'])('the %s module is at most 200 KB', (variant) => {
  expect(brotliBytes(`quintet-${variant}.wasm`)).toBeLessThanOrEqual(200 * kilobyte);
});

test('the JavaScript of a page is at most 30 KB', () => {
  // The entry, the worker, and what the two share (the glue above all).
  const scripts = readdirSync(`${root}dist`).filter((name) => /^(index|worker|browser-.*)\.js$/.test(name));
  expect(scripts).toEqual(expect.arrayContaining(['index.js', 'worker.js']));
  const total = scripts.reduce((sum, name) => sum + brotliBytes(name), 0);
  expect(total).toBeLessThanOrEqual(30 * kilobyte);
});

test('the packed package is at most 3 MB, depends on nothing and installs without scripts', () => {
  const { size } = pack();
  expect(size).toBeLessThanOrEqual(3000 * kilobyte);
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  expect(manifest).not.toHaveProperty('optionalDependencies');
  expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
});
