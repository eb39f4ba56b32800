import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buildPreset } from './cmake.mjs';
import { importsOf } from './glue.mjs';
import {
  classifierGlue,
  dist,
  embedderGlue,
  filesModule,
  generatorGlue,
  imageDecoder,
  memory64Module,
  moduleFolder,
  tokenizerModule,
  variants,
} from './paths.mjs';

/** Modules that compute, so that each feature set has its own. */
const engines = ['embedder', 'generator', 'classifier'];

/**
 * Builds the modules and puts them into dist/: quintet-<embedder, generator or classifier>-<variant>.wasm,
 * quintet-generator-memory64.wasm, quintet-files.wasm, quintet-tokenizer.wasm, image-decoder.wasm.
 */
export async function buildWasm() {
  await mkdir(dist, { recursive: true });
  for (const variant of variants) {
    await buildPreset(`wasm-${variant}`, engines.map((engine) => `quintet_${engine}_wasm`));
    for (const engine of engines) {
      await packageModule(`${moduleFolder(variant)}quintet_${engine}.wasm`, `quintet-${engine}-${variant}.wasm`);
    }
  }
  await buildPreset('wasm-memory64', ['quintet_generator_wasm']);
  await packageModule(memory64Module, 'quintet-generator-memory64.wasm');
  await buildPreset('wasm-baseline', ['quintet_files_wasm', 'quintet_tokenizer_wasm', 'search_kernels', 'image_decoder']);
  await packageModule(filesModule, 'quintet-files.wasm');
  await packageModule(tokenizerModule, 'quintet-tokenizer.wasm');
  await packageModule(imageDecoder, 'image-decoder.wasm');
  for (const glue of [embedderGlue, generatorGlue, classifierGlue]) await checkSharedGlue(glue);
}

async function packageModule(module, name) {
  await copyFile(module, dist + name);
  // The linker makes it executable.
  await chmod(dist + name, 0o644);
}

// The bundles contain the glue once and load the module of any variant with it. That for threads is written otherwise; it
// must give its module nothing that the one in the bundles does not know.
async function checkSharedGlue(shared) {
  const expected = await readFile(shared, 'utf8');
  const name = basename(shared);
  for (const variant of variants) {
    const own = await readFile(moduleFolder(variant) + name, 'utf8');
    const fits = variant.endsWith('-threads') ? offersAll(expected, own) : own === expected;
    if (!fits) throw new Error(`the JavaScript ${name} of wasm-${variant} differs from that of wasm-${variants[0]}`);
  }
}

function offersAll(glue, other) {
  const offered = [...importsOf(glue), 'memory'];
  return importsOf(other).every((name) => offered.includes(name));
}
