import { existsSync } from 'node:fs';
import { buildJavaScript, buildJavaScriptForThisNode } from './javascript.mjs';
import { exclusively } from './lock.mjs';
import { dist } from './paths.mjs';
import { buildWasm, buildWasmForThisNode } from './wasm.mjs';

/**
 * Builds the package into dist/: the wasm modules, the JavaScript bundles, the type declarations; these only if
 * `checked`.
 */
export function buildPackage({ checked = true } = {}) {
  return exclusively(async () => {
    await buildWasm();
    await buildJavaScript({ checked });
  });
}

/**
 * Builds the part of it that the running Node uses, or all where all was built before: dist/ is never half of an older
 * build.
 */
export function buildForThisNode() {
  if (existsSync(`${dist}index.js`)) return buildPackage();
  return exclusively(async () => {
    await buildWasmForThisNode();
    await buildJavaScriptForThisNode();
  });
}
