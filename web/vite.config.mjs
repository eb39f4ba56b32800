import { root } from '../tools/build/paths.mjs';
import { attribution } from './building/attribution.mjs';
import { pageFrame } from './building/page_frame.mjs';
import { pages } from './building/pages.mjs';
import { base, frames, site, web } from './building/paths.mjs';

export default {
  root: web,
  base,
  appType: 'mpa',
  logLevel: 'warn',
  // Packages that other projects have in node_modules; here they are folders of the repository.
  resolve: {
    alias: [
      { find: /^quintet$/, replacement: `${root}dist/index.js` },
      { find: /^quintet\/safetensors$/, replacement: `${root}dist/safetensors.js` },
      { find: /^quintet\/site$/, replacement: `${root}dist/site.js` },
      { find: /^quintet-models$/, replacement: `${root}models/index.js` },
      // The build that starts its threads from a separate file, not from the page's script.
      { find: /^onnxruntime-web$/, replacement: `${web}node_modules/onnxruntime-web/dist/ort.wasm.min.mjs` },
    ],
  },
  plugins: [pageFrame, attribution],
  worker: { format: 'es' },
  build: {
    outDir: site,
    emptyOutDir: true,
    // Every browser with WebAssembly SIMD has all of ES2022.
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The Content Security Policy does not allow scripts from data: URLs.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: Object.fromEntries(
        [...pages.map(({ name }) => name), ...frames].map((page) => [page, `${web}${page}.html`]),
      ),
    },
  },
};
