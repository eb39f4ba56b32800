import { resolve } from 'node:path';
import { buildSite } from 'quintet/site';
import { defineConfig } from 'vite';

const pages = ['index.html', 'bread/index.html'];
let out;

/** The hook: when the pages are written, they are read. */
const siteSearch = {
  name: 'site-search',
  apply: 'build',
  configResolved({ root, build }) {
    out = resolve(root, build.outDir);
  },
  closeBundle: () => buildSite({ dir: out }),
};

export default defineConfig({
  build: { rollupOptions: { input: pages.map((page) => resolve(import.meta.dirname, page)) } },
  plugins: [siteSearch],
});
