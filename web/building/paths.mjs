import { root } from '../../tools/build/paths.mjs';

export const web = `${root}web/`;
/** The pages as they are served. */
export const site = `${root}build/web/site/`;
/** What building/comparison.mjs makes for the benchmark page. */
export const comparison = `${root}build/web/comparison/`;
/** The bundled corpus, indexed; src/search/main.ts has its address. */
export const bundledIndex = `${root}build/web/corpus.index`;
export const pages = ['index', 'search', 'story', 'images', 'benchmark'];
