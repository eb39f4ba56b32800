import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buildPreset } from './cmake.mjs';
import { compact } from './compact/compact.mjs';
import { moduleWithShortNames, shortNames } from './import_names.mjs';
import {
  engines,
  glueOf,
  imageDecoder,
  memory64,
  moduleOf,
  oneThread,
  singleModules,
  variantOfThisNode,
  variants,
} from './modules.mjs';
import { dist, root } from './paths.mjs';
import { ResultCache } from './result_cache.mjs';
import { fingerprint } from './stamp.mjs';

/** The modules as the package has them. Compacting one takes seconds. */
const compacted = new ResultCache('modules');
const packaging = ['compact', 'import_names.mjs'].map((name) => `${root}tools/build/${name}`);

const [first] = variants;
const targetOf = (name) => `quintet_${name}_wasm`;
/** Small modules that the JavaScript of Node needs in any case. */
const smallModules = [
  'search_kernels',
  'search_threads',
  'late_interaction',
  'late_interaction_relaxed',
  'image_decoder',
];

/**
 * Builds the modules and puts them into dist/: quintet-<engine>-<variant>.wasm for each of `engines`,
 * quintet-generator-memory64.wasm, quintet-files.wasm, quintet-tokenizer.wasm, quintet-grammar.wasm,
 * image-decoder.wasm.
 */
export async function buildWasm() {
  await mkdir(dist, { recursive: true });
  for (const variant of variants) {
    await buildPreset(`wasm-${variant}`, [...engines.map(targetOf), ...(variant === first ? smallModules : [])]);
    await packageEngines(variant);
  }
  await buildPreset(`wasm-${oneThread}`, singleModules.map(targetOf));
  for (const name of singleModules) await packageModule(moduleOf(name, oneThread), `quintet-${name}.wasm`);
  await buildPreset('wasm-memory64', [targetOf('generator')]);
  await packageModule(memory64.module, 'quintet-generator-memory64.wasm');
  await packageImageDecoder(first);
  for (const name of engines) await checkSharedGlue(name);
}

/**
 * Builds only what the running Node uses for `npm start`: its variant of the engines, and the tokenizer, by which sites
 * are indexed.
 */
export async function buildWasmForThisNode() {
  const variant = variantOfThisNode();
  await mkdir(dist, { recursive: true });
  await buildPreset(`wasm-${variant}`, [...engines.map(targetOf), ...smallModules]);
  await packageEngines(variant);
  await packageImageDecoder(variant);
  await buildPreset(`wasm-${oneThread}`, [targetOf('tokenizer')]);
  await packageModule(moduleOf('tokenizer', oneThread), 'quintet-tokenizer.wasm');
}

async function packageEngines(variant) {
  for (const name of engines) await packageModule(moduleOf(name, variant), `quintet-${name}-${variant}.wasm`);
}

async function packageModule(module, name) {
  const glue = module.replace(/wasm$/, 'mjs');
  const output = dist + name;
  const digest = await fingerprint([...packaging, glue, module]);
  if (compacted.restore(digest, [output])) return;
  const names = shortNames(await readFile(glue, 'utf8'));
  await writeFile(output, compact(moduleWithShortNames(await readFile(module), names)));
  compacted.store(digest, [output]);
}

async function packageImageDecoder(variant) {
  await writeFile(`${dist}image-decoder.wasm`, await readFile(imageDecoder(variant)));
}

// The bundles contain the glue once and load the module of any variant with it.
async function checkSharedGlue(name) {
  const expected = await readFile(glueOf(name, first), 'utf8');
  for (const variant of variants) {
    if ((await readFile(glueOf(name, variant), 'utf8')) === expected) continue;
    throw new Error(
      `the JavaScript ${basename(glueOf(name, variant))} of wasm-${variant} differs from that of wasm-${first}`,
    );
  }
}
