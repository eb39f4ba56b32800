// quintet/site in Node: also builds the index of a site.

export * from './index.js';
export type * from './page.js';
