// What a chat needs with its first turn, or to be saved and opened.

export { loadChat, saveChat } from './file.js';
export { takeTurn } from './turn.js';
