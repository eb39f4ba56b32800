import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buildPreset } from './cmake.mjs';
import { importsOf } from './glue.mjs';
import {
  convertModule,
  decoderGlue,
  dist,
  glue,
  imageDecoder,
  memory64Module,
  moduleFolder,
  networkGlue,
  variants,
} from './paths.mjs';

/**
 * Builds the modules and puts them into dist/: quintet-<variant>.wasm, quintet-decoder-<variant>.wasm,
 * quintet-network-<variant>.wasm, quintet-decoder-memory64.wasm, quintet-convert.wasm, image-decoder.wasm.
 */
export async function buildWasm() {
  await mkdir(dist, { recursive: true });
  for (const variant of variants) {
    await buildPreset(`wasm-${variant}`, ['quintet_wasm', 'quintet_decoder_wasm', 'quintet_network_wasm']);
    await packageModule(`${moduleFolder(variant)}quintet.wasm`, `quintet-${variant}.wasm`);
    await packageModule(`${moduleFolder(variant)}quintet_decoder.wasm`, `quintet-decoder-${variant}.wasm`);
    await packageModule(`${moduleFolder(variant)}quintet_network.wasm`, `quintet-network-${variant}.wasm`);
  }
  await buildPreset('wasm-memory64', ['quintet_decoder_wasm']);
  await packageModule(memory64Module, 'quintet-decoder-memory64.wasm');
  await buildPreset('wasm-baseline', ['quintet_convert_wasm', 'search_kernels', 'image_decoder']);
  await packageModule(convertModule, 'quintet-convert.wasm');
  await packageModule(imageDecoder, 'image-decoder.wasm');
  await checkSharedGlue(glue);
  await checkSharedGlue(decoderGlue);
  await checkSharedGlue(networkGlue);
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
