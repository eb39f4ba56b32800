// Builds the package into dist/: both wasm modules, the JavaScript bundles, the type declarations.
// What has not changed since the last build is not made again.
import { buildJavaScript } from './build/javascript.mjs';
import { buildWasm } from './build/wasm.mjs';

await buildWasm();
await buildJavaScript();
