import { buildPreset } from '../build/cmake.mjs';
import { moduleFolder } from '../build/modules.mjs';
import { nodePath } from '../node_versions.mjs';
import { runGoogleTest } from './googletest.mjs';

// The oldest Node that runs each variant, and the newest: their compilers differ.
const engines = [
  { variant: 'baseline', major: 20 },
  { variant: 'baseline', major: 24 },
  { variant: 'relaxed', major: 22 },
  { variant: 'relaxed', major: 24 },
];

/** The kernel tests, compiled to wasm, in Node. */
export async function runWasm(tally) {
  for (const variant of new Set(engines.map((engine) => engine.variant))) {
    await buildPreset(`wasm-${variant}`, ['kernel_tests']);
  }
  for (const { variant, major } of engines) {
    await runGoogleTest(tally, `wasm ${variant} (Node ${major})`, nodePath(major), [
      `${moduleFolder(variant)}kernel_tests.js`,
    ]);
  }
}
