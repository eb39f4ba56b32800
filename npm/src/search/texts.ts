// Functions of an index for texts. Pages that only compare vectors do not download them.

export { addTexts } from './adding.js';
export { searchTexts } from './text_search.js';
