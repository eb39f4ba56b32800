// Parts of a chat that are loaded with its first turn, or when it is saved or opened.

export { loadChat, saveChat } from './file.js';
export { takeTurn } from './turn.js';
