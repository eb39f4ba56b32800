import { buildSite } from 'quintet/site';
import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'The bakery',
  head: [['script', { type: 'module', src: '/search/quintet-search.js' }]],
  // The hook: when the pages are written, they are read.
  buildEnd: ({ outDir }) => buildSite({ dir: outDir }),
});
