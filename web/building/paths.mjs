import { root } from '../../tools/build/paths.mjs';

export const web = `${root}web/`;
/** The site as it is served. */
export const site = `${root}build/web/site/`;
/** Files that building/comparison.mjs makes for the benchmark page. */
export const comparison = `${root}build/web/comparison/`;
/** The index of the bundled corpus; src/search/main.ts loads it. */
export const bundledIndex = `${root}build/web/corpus.index`;
export const pages = ['index', 'search', 'story', 'chat', 'images', 'photos', 'files', 'benchmark'];
/** The frame of the pages of the documentation (building/documentation.mjs). */
export const documentation = 'docs/index';
