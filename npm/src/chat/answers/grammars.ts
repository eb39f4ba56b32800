// Constrains answers that must call a tool. Loaded with the first such answer.

export { gemmaCalls, pythonCalls, taggedCalls } from './argument_grammars.js';
export { deepSeekCalls, hunyuanCalls, jsonCalls } from './call_grammars.js';
