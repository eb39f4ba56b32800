// quintet/openai: the protocol of OpenAI's HTTP API, answered by models of this package.

export { openAI } from './handler.js';
export type { OpenAIHandler, OpenAIOptions, ServedModel, ServedModelSource } from './types.js';
