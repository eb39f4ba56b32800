// What constrains answers that must call a tool. Loaded with the first of these.

export { gemmaCalls, pythonCalls, taggedCalls } from './argument_grammars.js';
export { deepSeekCalls, jsonCalls } from './call_grammars.js';
