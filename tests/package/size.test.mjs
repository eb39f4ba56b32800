// What a page downloads, and what npm does, has limits.
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { pack, root } from './packed.mjs';

const kilobyte = 1000;
const brotliBytes = (name) => brotliCompressSync(readFileSync(`${root}dist/${name}`)).length;

test.each(['baseline', 'relaxed', 'decoder-baseline', 'decoder-relaxed', 'convert'])('the %s module is at most 200 KB', (module) => {
  expect(brotliBytes(`quintet-${module}.wasm`)).toBeLessThanOrEqual(200 * kilobyte);
});

/** Scripts that these load, at once or later, but for what only `convert` needs. */
function scriptsOf(...entries) {
  const scripts = new Set(entries);
  for (const name of scripts) {
    const text = readFileSync(`${root}dist/${name}`, 'utf8');
    if (/\bas convertModel\b/.test(text)) scripts.delete(name);
    else for (const [, imported] of text.matchAll(/"\.\/([\w-]+\.js)"/g)) scripts.add(imported);
  }
  return [...scripts];
}

const brotliSum = (scripts) => scripts.reduce((sum, name) => sum + brotliBytes(name), 0);

test('the JavaScript of a page is at most 30 KB', () => {
  // The entry, the worker, and what the two share (the glue above all).
  const scripts = scriptsOf('index.js', 'worker.js');
  expect(scripts.length).toBeGreaterThan(3);
  expect(brotliSum(scripts)).toBeLessThanOrEqual(30 * kilobyte);
});

test('the JavaScript of quintet/safetensors is at most 6 KB, without the engine', () => {
  const scripts = scriptsOf('safetensors.js');
  expect(brotliSum(scripts)).toBeLessThanOrEqual(6 * kilobyte);
  for (const name of scripts) expect(readFileSync(`${root}dist/${name}`, 'utf8')).not.toContain('.wasm');
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
