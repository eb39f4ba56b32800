// quintet/site/element: <quintet-search>.

import { highlightWords } from './highlight.js';
import { wordsParameter } from './links.js';
import { QuintetSearch, type QuintetSearchEvents } from './quintet_search.js';

export type * from '../types.js';
export { highlightWords, QuintetSearch, type QuintetSearchEvents };

declare global {
  interface HTMLElementTagNameMap {
    'quintet-search': QuintetSearch;
  }
  interface HTMLElementEventMap extends QuintetSearchEvents {}
}

const name = 'quintet-search';

// Two scripts of a page may bring it, and in Node there is nothing to define.
if (globalThis.customElements && !customElements.get(name)) {
  customElements.define(name, QuintetSearch);
  if (location.search.includes(wordsParameter)) highlightWords();
}
