// Limits on the size of the downloads of pages and of npm.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { features } from '../../npm/features.mjs';
import { scriptsOf, scriptsOfPage } from '../../tools/build/page_scripts.mjs';
import { pack, root } from './packed.mjs';

const kilobyte = 1000;
const compressed = new Map();
function brotliBytes(name) {
  if (!compressed.has(name)) compressed.set(name, brotliCompressSync(readFileSync(`${root}dist/${name}`)).length);
  return compressed.get(name);
}

const modules = readdirSync(`${root}dist`).filter((name) => /^quintet-.*\.wasm$/.test(name));

test('there is a module for every engine, with and without relaxed SIMD', () => {
  const engines = ['baseline', 'relaxed'].flatMap((build) =>
    ['embedder', 'generator', 'classifier', 'image_embedder'].map((engine) => `quintet-${engine}-${build}.wasm`),
  );
  const others = [
    'quintet-files.wasm',
    'quintet-generator-memory64.wasm',
    'quintet-grammar.wasm',
    'quintet-tokenizer.wasm',
  ];
  expect([...modules].sort()).toEqual([...engines, ...others].sort());
});

// In KB. That for 64-bit memory comes with a model beyond 4 GB.
const limits = {
  embedder: 189,
  'generator-memory64': 272,
  generator: 260,
  classifier: 115.5,
  image_embedder: 144,
  files: 239,
  tokenizer: 101,
  grammar: 69.75,
};

test.each(modules)('%s is within its limit', (module) => {
  const engine = Object.keys(limits).find((name) => module.startsWith(`quintet-${name}`));
  expect(brotliBytes(module)).toBeLessThanOrEqual(limits[engine] * kilobyte);
});

const brotliSum = (scripts) => scripts.reduce((sum, name) => sum + brotliBytes(name), 0);

// The downloads of a page, as docs/sizes.md calls them: the entry, the worker, what the two share (the glue above all),
// and a module.
const pages = features
  .filter(({ page }) => page)
  .map((feature) => ({ feature, page: feature.page.does, scripts: feature.page.scripts, module: feature.module }));

test.each(pages)('a page that $page has its JavaScript', ({ feature, scripts: limit }) => {
  const scripts = scriptsOfPage(feature);
  expect(scripts.length).toBeGreaterThan(5);
  expect(brotliSum(scripts)).toBeLessThanOrEqual(limit * kilobyte);
});

describe('the documentation has these sizes', () => {
  const rows = readFileSync(`${root}docs/sizes.md`, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const documented = pages.map(({ page }) => rows.find(([, name]) => name === page));

  test.each(pages)('docs/sizes.md: a page that $page', ({ page, feature, scripts, module }) => {
    const [, , javaScript, wasm, allowed] = documented[pages.findIndex((each) => each.page === page)];
    expect(allowed).toBe(`${scripts} and ${limits[module]}`);
    const sizes = modules
      .filter((name) => name.startsWith(`quintet-${module}`) && !name.includes('memory64'))
      .map(brotliBytes);
    expect(Math.abs(Number(javaScript) - brotliSum(scriptsOfPage(feature)) / kilobyte)).toBeLessThanOrEqual(1);
    expect(Math.abs(Number(wasm) - Math.max(...sizes) / kilobyte)).toBeLessThanOrEqual(1);
  });

  test('README.md: the smallest and the largest module, and the most JavaScript', () => {
    const wasm = documented.slice(0, 6).map((row) => Number(row[3]));
    const most = Math.ceil(Math.max(...pages.map(({ scripts }) => scripts)));
    const readme = readFileSync(`${root}README.md`, 'utf8').replaceAll(/\s+/g, ' ');
    const largest = Math.max(...wasm);
    expect(readme).toContain(`at most ${most} KB of JavaScript and ${largest} KB of WebAssembly (Brotli) for`);
    expect(readme).toContain(`to download, compressed | ${Math.min(...wasm)} to ${largest} KB |`);
  });
});

describe('conversations', () => {
  const generation = features.find(({ use }) => use === 'generator');
  const usual = scriptsOfPage(generation);
  const more = (...used) => scriptsOfPage(generation, used).filter((name) => !usual.includes(name));
  const first = more('ChatTemplates', 'exchangeOf');

  test('the first one loads at most 25 KB of JavaScript more', () => {
    expect(first.length).toBeGreaterThan(1);
    expect(brotliSum(first)).toBeLessThanOrEqual(25 * kilobyte);
  });

  test('the rare parts of the template language are a script of at most 5.5 KB, which is loaded when a template needs it', () => {
    const rare = more('ChatTemplates', 'exchangeOf', 'parts').filter((name) => !first.includes(name));
    expect(rare).toHaveLength(1);
    expect(brotliSum(rare)).toBeLessThanOrEqual(5.5 * kilobyte);
  });
});

test('one tower of pictures and words, or several files, load at most 5 KB of JavaScript more', () => {
  const embedding = features.find(({ use }) => use === 'image_embedder');
  const usual = scriptsOfPage(embedding);
  const more = scriptsOfPage(embedding, ['weightsOf', 'withOneFile']).filter((name) => !usual.includes(name));
  expect(more.length).toBeGreaterThan(0);
  expect(brotliSum(more)).toBeLessThanOrEqual(5 * kilobyte);
});

test('the JavaScript of quintet/safetensors is at most 9 KB, without the engine', () => {
  const scripts = scriptsOf(['safetensors.js']);
  expect(brotliSum(scripts)).toBeLessThanOrEqual(9 * kilobyte);
  for (const name of scripts) expect(readFileSync(`${root}dist/${name}`, 'utf8')).not.toContain('.wasm');
});

test.each([
  ['quintet/openai', 'openai.js', 9],
  ['quintet/ai-sdk', 'ai_sdk.js', 5],
  ['quintet/langchain', 'langchain.js', 4],
])('the JavaScript of %s is one script within its limit, without the engine', (_, script, limit) => {
  expect(scriptsOf([script])).toEqual([script]);
  expect(brotliBytes(script)).toBeLessThanOrEqual(limit * kilobyte);
  expect(readFileSync(`${root}dist/${script}`, 'utf8')).not.toContain('.wasm');
});

test('the packed package is at most 3.5 MB, depends on nothing and installs without scripts', () => {
  const { size } = pack();
  expect(size).toBeLessThanOrEqual(3500 * kilobyte);
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  // Whoever uses an integration has the package that it is for.
  for (const name of Object.keys(manifest.peerDependencies))
    expect([name, manifest.peerDependenciesMeta[name]]).toEqual([name, { optional: true }]);
  expect(manifest).not.toHaveProperty('optionalDependencies');
  expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
});

test('the bundled classifier is below 4 MB, all photographs below 350 KB', () => {
  const bytes = (name) => readFileSync(`${root}models/${name}`).length;
  expect(bytes('mobilenet_v2_imagenet.safetensors')).toBeLessThan(4000 * kilobyte);
  const photographs = readdirSync(`${root}models/pictures`).map((name) => bytes(`pictures/${name}`));
  expect(photographs.reduce((sum, size) => sum + size)).toBeLessThan(350 * kilobyte);
});
