import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import { buildPreset } from './cmake.mjs';
import { dist, glue, moduleFolder, variants } from './paths.mjs';

/** Builds the modules and puts them into dist/ as quintet-<variant>.wasm. */
export async function buildWasm() {
  await mkdir(dist, { recursive: true });
  for (const variant of variants) {
    await buildPreset(`wasm-${variant}`, ['quintet_wasm']);
    const packaged = `${dist}quintet-${variant}.wasm`;
    await copyFile(`${moduleFolder(variant)}quintet.wasm`, packaged);
    // The linker makes it executable.
    await chmod(packaged, 0o644);
  }
  await buildPreset('wasm-baseline', ['search_kernels']);
  await checkSharedGlue();
}

// The bundles contain the glue once and load any module with it.
async function checkSharedGlue() {
  const expected = await readFile(glue);
  for (const variant of variants) {
    if (!expected.equals(await readFile(`${moduleFolder(variant)}quintet.mjs`))) {
      throw new Error(`the JavaScript glue of wasm-${variant} differs from that of wasm-${variants[0]}`);
    }
  }
}
