// quintet/site in Node: also builds the index of a site.

export * from './index.js';
export { loadWordModel } from './model/load_model.js';
export type * from './model/word_model.js';
export type * from './page.js';
