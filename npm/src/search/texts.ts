// What an index does with texts. Pages that only compare vectors do not download it.

export { addTexts } from './adding.js';
export { searchTexts } from './text_search.js';
