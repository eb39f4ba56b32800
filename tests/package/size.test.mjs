// What a page downloads, and what npm does, has limits.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { scriptsOf, scriptsOfPage } from '../../tools/build/page_scripts.mjs';
import { pack, root } from './packed.mjs';

const kilobyte = 1000;
const brotliBytes = (name) => brotliCompressSync(readFileSync(`${root}dist/${name}`)).length;

const modules = readdirSync(`${root}dist`).filter((name) => /^quintet-.*\.wasm$/.test(name));

test('there is a module for every engine, with and without relaxed SIMD', () => {
  const engines = ['baseline', 'relaxed'].flatMap((build) => ['embedder', 'generator', 'classifier'].map((engine) => `quintet-${engine}-${build}.wasm`));
  const others = ['quintet-files.wasm', 'quintet-generator-memory64.wasm', 'quintet-grammar.wasm', 'quintet-tokenizer.wasm'];
  expect([...modules].sort()).toEqual([...engines, ...others].sort());
});

// In KB. That for 64-bit memory comes with a model beyond 4 GB.
const limits = { embedder: 182, 'generator-memory64': 244, generator: 234, classifier: 73, files: 230.5, tokenizer: 106.5, grammar: 62 };

test.each(modules)('%s is within its limit', (module) => {
  const engine = Object.keys(limits).find((name) => module.startsWith(`quintet-${name}`));
  expect(brotliBytes(module)).toBeLessThanOrEqual(limits[engine] * kilobyte);
});

const brotliSum = (scripts) => scripts.reduce((sum, name) => sum + brotliBytes(name), 0);

// The entry, the worker, and what the two share (the glue above all). What a page does not do it does not load.
test.each([
  ['embedding', 'embedder_worker.js', 31],
  ['reranking', 'reranker_worker.js', 30],
  ['generating', 'generator_worker.js', 34.5],
  ['classifying', 'classifier_worker.js', 32],
  ['reading files', 'files_worker.js', 33],
  ['tokenizing', undefined, 30],
])('a page that is for %s has its JavaScript', (doing, worker, limit) => {
  const scripts = scriptsOfPage(doing, worker);
  expect(scripts.length).toBeGreaterThan(5);
  expect(brotliSum(scripts)).toBeLessThanOrEqual(limit * kilobyte);
});

test('the first conversation loads at most 28.5 KB of JavaScript more', () => {
  const isOfChat = (name) => /^browser-.*\.js$/.test(name) && /\bas (Chat|exchangeOf)\b/.test(readFileSync(`${root}dist/${name}`, 'utf8'));
  const chat = readdirSync(`${root}dist`).filter(isOfChat);
  expect(chat).toHaveLength(2);
  expect(brotliSum(chat)).toBeLessThanOrEqual(28.5 * kilobyte);
});

test('the JavaScript of quintet/safetensors is at most 9 KB, without the engine', () => {
  const scripts = scriptsOf(['safetensors.js']);
  expect(brotliSum(scripts)).toBeLessThanOrEqual(9 * kilobyte);
  for (const name of scripts) expect(readFileSync(`${root}dist/${name}`, 'utf8')).not.toContain('.wasm');
});

test('the packed package is at most 3.7 MB, depends on nothing and installs without scripts', () => {
  const { size } = pack();
  expect(size).toBeLessThanOrEqual(3700 * kilobyte);
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  expect(manifest).not.toHaveProperty('optionalDependencies');
  expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
});

test('the bundled classifier is at most 300 KB, all drawings at most 150 KB', () => {
  const bytes = (name) => readFileSync(`${root}models/${name}`).length;
  expect(bytes('resnet20-cifar10.bin')).toBeLessThanOrEqual(300 * kilobyte);
  const drawings = readdirSync(`${root}models/pictures`).map((name) => bytes(`pictures/${name}`));
  expect(drawings.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(150 * kilobyte);
});
