import { buildJavaScript } from './javascript.mjs';
import { exclusively } from './lock.mjs';
import { buildWasm } from './wasm.mjs';

/** Builds the package into dist/: the wasm modules, the JavaScript bundles, the type declarations. */
export function buildPackage() {
  return exclusively(async () => {
    await buildWasm();
    await buildJavaScript();
  });
}
