import { root } from '../../tools/build/paths.mjs';

export const web = `${root}web/`;
/** The pages as they are served. */
export const site = `${root}build/web/site/`;
export const pages = ['index', 'search', 'story', 'images', 'benchmark'];
