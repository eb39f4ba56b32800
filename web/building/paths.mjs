import { root } from '../../tools/build/paths.mjs';

export const web = `${root}web/`;
/** The site as it is served. */
export const site = `${root}build/web/site/`;
/** Files that building/comparison.mjs makes for the benchmark page. */
export const comparison = `${root}build/web/comparison/`;
/** The index of the book; src/search/main.ts loads it. */
export const bundledIndex = `${root}build/web/corpus.index`;
/** The frames of generated pages: of the documentation (documentation.mjs) and of the book (book_pages.mjs). */
export const frames = ['docs/index', 'book/index'];

/**
 * The path of the site on its host, with a slash at both ends. SITE_BASE is set to build it for a host that sends no
 * headers of its own, such as GitHub Pages; the service worker adds them there.
 */
export const base = process.env.SITE_BASE || '/';
export const isForPlainHost = process.env.SITE_BASE !== undefined;
if (!/^\/(?:[\w.-]+\/)*$/.test(base)) throw new TypeError(`SITE_BASE must begin and end with a slash, not '${base}'`);
