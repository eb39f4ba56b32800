import { root } from '../tools/build/paths.mjs';
import { attribution } from './building/attribution.mjs';
import { pageFrame } from './building/page_frame.mjs';
import { pages, site, web } from './building/paths.mjs';

export default {
  root: web,
  appType: 'mpa',
  logLevel: 'warn',
  // As the pages' users have them in node_modules; here they are the folders beside this one.
  resolve: {
    alias: [
      { find: /^quintet$/, replacement: `${root}dist/index.js` },
      { find: /^quintet\/safetensors$/, replacement: `${root}dist/safetensors.js` },
      { find: /^quintet-models$/, replacement: `${root}models/index.js` },
      // The build of it that starts its threads from a file of its own, and not from the page's script.
      { find: /^onnxruntime-web$/, replacement: `${web}node_modules/onnxruntime-web/dist/ort.wasm.min.mjs` },
    ],
  },
  plugins: [pageFrame, attribution],
  worker: { format: 'es' },
  build: {
    outDir: site,
    emptyOutDir: true,
    // What runs WebAssembly SIMD has all of ES2022.
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy of the pages has no data: URLs.
    assetsInlineLimit: 0,
    rolldownOptions: { input: Object.fromEntries(pages.map((page) => [page, `${web}${page}.html`])) },
  },
};
